-- Version 4: tournaments. Their state is what the changes make of the settings.

CREATE TABLE tournament (
    number INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL UNIQUE,  -- its id
    name TEXT NOT NULL,
    settings TEXT NOT NULL,           -- JSON: the fields of open-tournament, and the lots
    opened_by TEXT,                   -- the id of the command
    began TEXT NOT NULL,
    gone_at TEXT                      -- NULL: its state is published
);
CREATE UNIQUE INDEX tournament_opened_by ON tournament (opened_by) WHERE opened_by IS NOT NULL;

-- The changes in order, and `undo` and `close`.
CREATE TABLE tournament_change (
    tournament INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT,                          -- of the command; NULL: a result of a table
    at TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (tournament, seq)
);
CREATE UNIQUE INDEX tournament_change_id ON tournament_change (tournament, id) WHERE id IS NOT NULL;
