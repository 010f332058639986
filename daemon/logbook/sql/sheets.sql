-- Version 2: games with a score sheet. They are rows of game, with an empty table_name, and of seat.

CREATE TABLE sheet (
    game INTEGER PRIMARY KEY,
    name TEXT NOT NULL,               -- of its file
    source TEXT NOT NULL,             -- the file as it was when the game began
    opened_by TEXT,                   -- the id of the command
    over_at TEXT,                     -- NULL: it goes on
    gone_at TEXT                      -- NULL: its state is published
);
CREATE UNIQUE INDEX sheet_opened_by ON sheet (opened_by) WHERE opened_by IS NOT NULL;
CREATE INDEX sheet_gone_at ON sheet (gone_at);

-- The changes of a game in order, and `undo` and `close`.
CREATE TABLE sheet_change (
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT,                          -- of the command
    at TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE UNIQUE INDEX sheet_change_id ON sheet_change (game, id) WHERE id IS NOT NULL;

-- The results of Ship Ahoy are in figure.
ALTER TABLE seat ADD COLUMN role INTEGER;
ALTER TABLE seat ADD COLUMN place INTEGER;
ALTER TABLE seat ADD COLUMN points INTEGER;
