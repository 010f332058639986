-- Version 1: the tables. Numbers with a fraction are stored in thousandths.

CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,        -- the id that the table gave it
    table_name TEXT NOT NULL,
    began TEXT NOT NULL,              -- 2026-05-03T18:42:11.042Z
    ended TEXT,                       -- NULL: open or abandoned
    seq INTEGER NOT NULL,             -- events 1 to seq are stored, without a gap
    read_seq INTEGER NOT NULL,        -- and those up to here with their states
    turns INTEGER NOT NULL,
    rules TEXT,                       -- the settings are NULL until the first state is stored
    scenario TEXT,
    teams INTEGER,
    changed INTEGER NOT NULL          -- 1: shot and figure have to be computed again
);
CREATE INDEX game_began ON game (began, game);
CREATE INDEX game_changed ON game (changed) WHERE changed = 1;

-- What a table published. The columns repeat what the views need from the body.
CREATE TABLE event (
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at TEXT NOT NULL,
    turn INTEGER NOT NULL,
    player INTEGER,                   -- whose turn it is, as a seat
    piece TEXT,
    by_player INTEGER,
    how TEXT,
    milli INTEGER,                    -- speed_mps or knots
    undone INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE INDEX event_toppled ON event (game, turn, seq) WHERE type = 'piece-toppled';

-- The ranking of each game-over, which may be undone later.
CREATE TABLE ranking (
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    place INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (game, seq, seat)
);

-- The board after each step: complete, or what has changed since the one before.
CREATE TABLE state (
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);

CREATE TABLE seat (
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,               -- as spelled at the table
    person TEXT NOT NULL,
    team INTEGER,
    PRIMARY KEY (game, seat)
);
CREATE INDEX seat_person ON seat (person);

CREATE TABLE harbour (
    game INTEGER NOT NULL,
    colour TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (game, colour)
);

-- Everybody who ever played, by name in lower case without blanks.
CREATE TABLE person (
    person TEXT PRIMARY KEY,
    name TEXT NOT NULL,               -- the latest spelling
    named TEXT NOT NULL,              -- when the game began in which it was spelled so
    merged_into TEXT,
    root TEXT NOT NULL,               -- whose statistics these games count for: itself unless merged
    changed INTEGER NOT NULL,         -- 1: the longest run has to be computed again
    longest_hits INTEGER NOT NULL,
    longest_game INTEGER,             -- where and when that run ended
    longest_at TEXT
);
CREATE INDEX person_root ON person (root);

-- Copies of the views game_shot and game_figure, made when a game has changed: the sums over ten
-- thousand games would take seconds if they were computed from the events each time.
CREATE TABLE shot (
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    began TEXT NOT NULL,
    speed INTEGER,
    hit INTEGER NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE INDEX shot_speed ON shot (speed) WHERE speed IS NOT NULL;
CREATE INDEX shot_person ON shot (person, began, game, seq, hit, at);

CREATE TABLE figure (
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    person TEXT NOT NULL,
    team INTEGER,
    began TEXT NOT NULL,
    scenario TEXT NOT NULL,
    turns INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    place INTEGER,
    points INTEGER,
    won INTEGER NOT NULL,
    shots INTEGER NOT NULL,
    hits INTEGER NOT NULL,
    fastest INTEGER,
    ships INTEGER NOT NULL,
    towers INTEGER NOT NULL,
    pirate INTEGER NOT NULL,
    combats_won INTEGER NOT NULL,
    combats_lost INTEGER NOT NULL,
    knots INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE INDEX figure_person ON figure (person);
