-- What each figure means. Events that were undone never count.

-- A migration replaces the views of an earlier version.
DROP VIEW IF EXISTS record;
DROP VIEW IF EXISTS badge;
DROP VIEW IF EXISTS progress;
DROP VIEW IF EXISTS beat;
DROP VIEW IF EXISTS won_by_scenario;
DROP VIEW IF EXISTS hit_run; -- of version 1
DROP VIEW IF EXISTS player_shot;
DROP VIEW IF EXISTS by_game;
DROP VIEW IF EXISTS played; -- of version 2
DROP VIEW IF EXISTS statistic;
DROP VIEW IF EXISTS game_figure;
DROP VIEW IF EXISTS game_end;
DROP VIEW IF EXISTS game_shot;

-- A shot is a shot-fired of the player whose turn it is. It hits if an enemy piece topples after it in
-- the same turn: piece-toppled is published for nothing else (own pieces are a disturbance, S5), also
-- for the monster that is wounded, and also when the fall is declared late (S9). There is one shot in a
-- turn (S2).
CREATE VIEW game_shot AS
SELECT e.game, e.seq, e.player AS seat, s.person, e.at, g.began, e.milli AS speed,
    CASE WHEN EXISTS (
        SELECT 1 FROM event t
        WHERE t.game = e.game AND t.turn = e.turn AND t.seq > e.seq AND t.type = 'piece-toppled' AND t.undone = 0
    ) THEN 1 ELSE 0 END AS hit
FROM event e
JOIN game g ON g.number = e.game
JOIN seat s ON s.game = e.game AND s.seat = e.player
WHERE e.type = 'shot-fired' AND e.undone = 0;

-- A game is finished by its last game-over that was not undone.
CREATE VIEW game_end AS
SELECT game, MAX(seq) AS seq, MAX(at) AS at
FROM event
WHERE type = 'game-over' AND undone = 0
GROUP BY game;

-- The figures of one player in one game. shot has to be up to date.
CREATE VIEW game_figure AS
SELECT s.game, s.seat, s.person, s.team, g.began, g.ended, g.scenario, g.turns,
    CASE WHEN g.ended IS NULL THEN 0 ELSE 1 END AS finished,
    r.place,
    r.points,
    -- First place: alone, in a team or tied.
    CASE WHEN r.place = 1 THEN 1 ELSE 0 END AS won,
    (SELECT COUNT(*) FROM shot x WHERE x.game = s.game AND x.seat = s.seat) AS shots,
    (SELECT COUNT(*) FROM shot x WHERE x.game = s.game AND x.seat = s.seat AND x.hit = 1) AS hits,
    (SELECT MAX(speed) FROM shot x WHERE x.game = s.game AND x.seat = s.seat) AS fastest,
    -- Pieces captured by shot or in close combat. What is lost for all (PS3) is captured by nobody.
    COUNT(*) FILTER (WHERE e.type = 'piece-captured' AND e.by_player = s.seat AND e.piece LIKE '%-_') AS ships,
    COUNT(*) FILTER (WHERE e.type = 'piece-captured' AND e.by_player = s.seat AND e.piece LIKE '%-tower') AS towers,
    COUNT(*) FILTER (WHERE e.type = 'piece-captured' AND e.by_player = s.seat AND e.piece = 'pirate') AS pirate,
    -- A close combat is won by whom a piece surrenders to.
    COUNT(*) FILTER (WHERE e.type = 'piece-captured' AND e.by_player = s.seat AND e.how = 'combat') AS combats_won,
    -- It is lost by the owner of a piece that surrenders, or that the pirate ship or the monster takes.
    -- A piece that falls to a shot of the pirate ship topples first.
    COUNT(*) FILTER (WHERE h.seat = s.seat AND (
        (e.type = 'piece-captured' AND e.how = 'combat')
        OR (e.type = 'piece-lost' AND NOT EXISTS (
            SELECT 1 FROM event t
            WHERE t.game = e.game AND t.seq = e.seq - 1 AND t.type = 'piece-toppled')))) AS combats_lost,
    -- How far the player moved pieces, as the rope measured it.
    COALESCE(SUM(e.milli) FILTER (WHERE e.type = 'piece-moved' AND e.player = s.seat), 0) AS knots
FROM seat s
JOIN game g ON g.number = s.game
-- Not game_end: SQLite would compute it for all games, a tenth of a second with 2000 of them.
LEFT JOIN ranking r ON r.game = s.game AND r.seat = s.seat AND r.seq = (
    SELECT MAX(o.seq) FROM event o WHERE o.game = s.game AND o.type = 'game-over' AND o.undone = 0)
LEFT JOIN event e ON e.game = s.game AND e.undone = 0 AND e.type IN ('piece-captured', 'piece-lost', 'piece-moved')
LEFT JOIN harbour h ON h.game = s.game AND e.piece LIKE h.colour || '-%'
GROUP BY s.game, s.seat, s.person, s.team, g.began, g.scenario, g.turns, g.ended, r.place, r.points;

-- The sums of a player, under every name that was merged.
CREATE VIEW statistic AS
SELECT p.root AS person,
    COALESCE(SUM(f.finished), 0) AS games,
    COALESCE(SUM(f.won), 0) AS won,
    COALESCE(SUM(f.points), 0) AS points,
    COALESCE(SUM(f.shots), 0) AS shots,
    COALESCE(SUM(f.hits), 0) AS hits,
    MAX(f.fastest) AS fastest,
    COALESCE(SUM(f.ships), 0) AS ships,
    COALESCE(SUM(f.towers), 0) AS towers,
    COALESCE(SUM(f.pirate), 0) AS pirate,
    COALESCE(SUM(f.combats_won), 0) AS combats_won,
    COALESCE(SUM(f.combats_lost), 0) AS combats_lost,
    COALESCE(SUM(f.knots), 0) AS knots
FROM person p
LEFT JOIN figure f ON f.person = p.person
GROUP BY p.root;

-- The games of a player, Ship Ahoy and each score sheet: finished ones, those of them that were won, and
-- the beginnings of the first and the last one. Grouped in each half: a query for one player then reads
-- the games of that player alone.
CREATE VIEW by_game AS
SELECT p.root AS person, 'ship-ahoy' AS name, SUM(f.finished) AS games, SUM(f.won) AS won,
    MIN(f.began) AS first, MAX(f.began) AS last
FROM person p
JOIN figure f ON f.person = p.person
GROUP BY p.root
UNION ALL
SELECT p.root, h.name, COUNT(s.place), COUNT(*) FILTER (WHERE s.place = 1), MIN(g.began), MAX(g.began)
FROM person p
JOIN seat s ON s.person = p.person
JOIN sheet h ON h.game = s.game
JOIN game g ON g.number = s.game
GROUP BY p.root, h.name;

-- The longest run of hits is that of these shots over all games, in the order of began, game and seq: a
-- miss ends a run. It is counted in one pass (figures.c), and kept in person.
CREATE VIEW player_shot AS
SELECT p.root AS person, x.began, x.game, x.seq, x.at, x.hit
FROM person p
JOIN shot x ON x.person = p.person;

CREATE VIEW won_by_scenario AS
SELECT p.root AS person, f.scenario, COUNT(*) AS won
FROM person p
JOIN figure f ON f.person = p.person AND f.won = 1
GROUP BY p.root, f.scenario;

-- Finished games with a better place than a player of another side.
CREATE VIEW beat AS
SELECT p.root AS person, q.root AS other, COUNT(*) AS games
FROM person p
JOIN figure f ON f.person = p.person
JOIN figure o ON o.game = f.game AND o.place > f.place AND (f.team IS NULL OR o.team <> f.team)
JOIN person q ON q.person = o.person
GROUP BY p.root, q.root;

-- By the month in which the game began.
CREATE VIEW progress AS
SELECT p.root AS person, SUBSTR(f.began, 1, 7) AS month,
    SUM(f.finished) AS games, SUM(f.won) AS won, SUM(f.shots) AS shots, SUM(f.hits) AS hits, MAX(f.fastest) AS fastest
FROM person p
JOIN figure f ON f.person = p.person
GROUP BY p.root, SUBSTR(f.began, 1, 7);

CREATE VIEW badge AS
SELECT s.person, b.badge
FROM statistic s
JOIN person p ON p.person = s.person
JOIN (
    SELECT 1 AS number, 'first-win' AS badge
    UNION ALL SELECT 2, 'ten-wins'
    UNION ALL SELECT 3, 'fifty-wins'
    UNION ALL SELECT 4, 'ten-games'
    UNION ALL SELECT 5, 'hundred-games'
    UNION ALL SELECT 6, 'every-scenario'
    UNION ALL SELECT 7, 'sharpshooter'
    UNION ALL SELECT 8, 'five-in-a-row'
    UNION ALL SELECT 9, 'cannoneer'
    UNION ALL SELECT 10, 'tower-breaker'
    UNION ALL SELECT 11, 'pirate-hunter'
    UNION ALL SELECT 12, 'boarder'
    UNION ALL SELECT 13, 'long-distance'
) AS b ON 1 = 1
WHERE CASE b.number
    WHEN 1 THEN s.won >= 1
    WHEN 2 THEN s.won >= 10
    WHEN 3 THEN s.won >= 50
    WHEN 4 THEN s.games >= 10
    WHEN 5 THEN s.games >= 100
    WHEN 6 THEN (SELECT COUNT(*) FROM won_by_scenario w WHERE w.person = s.person AND w.scenario <> 'none') = 6
    WHEN 7 THEN s.shots >= 20 AND s.hits * 2 >= s.shots
    WHEN 8 THEN p.longest_hits >= 5
    WHEN 9 THEN s.fastest >= 5000
    WHEN 10 THEN s.towers >= 10
    WHEN 11 THEN s.pirate >= 1
    WHEN 12 THEN s.combats_won >= 10
    WHEN 13 THEN s.knots >= 500000
END;

-- The best of each kind. Whoever sets a record first keeps it until it is beaten.
CREATE VIEW record AS
SELECT * FROM (
    SELECT 'fastest-ball' AS record, x.speed AS value, x.person, x.game, x.at
    FROM shot x WHERE x.speed IS NOT NULL
    ORDER BY x.speed DESC, x.at LIMIT 1) AS a
UNION ALL SELECT * FROM (
    SELECT 'longest-hits', longest_hits * 1000, person, longest_game, longest_at
    FROM person WHERE longest_hits > 0
    ORDER BY longest_hits DESC, longest_at LIMIT 1) AS b
UNION ALL SELECT * FROM (
    SELECT 'most-points', f.points * 1000, f.person, f.game, f.ended
    FROM figure f WHERE f.finished = 1 AND f.points > 0
    ORDER BY f.points DESC, f.ended LIMIT 1) AS c
UNION ALL SELECT * FROM (
    SELECT 'most-captured', (f.ships + f.towers + f.pirate) * 1000, f.person, f.game, COALESCE(f.ended, f.began)
    FROM figure f WHERE f.ships + f.towers + f.pirate > 0
    ORDER BY f.ships + f.towers + f.pirate DESC, COALESCE(f.ended, f.began) LIMIT 1) AS d
UNION ALL SELECT * FROM (
    SELECT 'shortest-win', f.turns * 1000, f.person, f.game, f.ended
    FROM figure f WHERE f.won = 1
    ORDER BY f.turns, f.ended, f.seat LIMIT 1) AS e;
