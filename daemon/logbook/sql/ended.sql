-- Version 3: figure has the end of its game, so that each record is the first entry of an index.

ALTER TABLE figure ADD COLUMN ended TEXT; -- NULL: open or abandoned
UPDATE figure SET ended = (SELECT g.ended FROM game g WHERE g.number = figure.game);

CREATE INDEX figure_points ON figure (points DESC, ended) WHERE finished = 1;
CREATE INDEX figure_captured ON figure ((ships + towers + pirate) DESC, (COALESCE(ended, began)));
CREATE INDEX figure_turns ON figure (turns, ended, seat) WHERE won = 1;
DROP INDEX shot_speed;
CREATE INDEX shot_speed ON shot (speed DESC, at) WHERE speed IS NOT NULL;
