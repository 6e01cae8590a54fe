-- A run may be cancelled, and asked to be. SQLite cannot change a CHECK: the table is rebuilt. Its children keep their
-- rows because foreign keys are not enforced while migrations run, and are checked before they are committed.
CREATE TABLE runs_rebuilt (
    id                  TEXT PRIMARY KEY,
    pipeline            TEXT NOT NULL,
    kind                TEXT NOT NULL,
    definition          TEXT NOT NULL,    -- the merged pipeline as it ran, JSON
    input               TEXT NOT NULL,    -- the first state, JSON
    settings            TEXT NOT NULL,    -- what actions may read of the settings, JSON
    status              TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted', 'cancelled')),
    error               TEXT,
    final_state         TEXT,             -- JSON, once done
    version             TEXT NOT NULL,    -- of bottega
    created_at          TEXT NOT NULL,
    ended_at            TEXT,
    cancel_requested_at TEXT              -- NULL again when the run is reopened
);
INSERT INTO runs_rebuilt (id, pipeline, kind, definition, input, settings, status, error, final_state, version,
    created_at, ended_at)
SELECT id, pipeline, kind, definition, input, settings, status, error, final_state, version, created_at, ended_at
FROM runs;
DROP TABLE runs;
ALTER TABLE runs_rebuilt RENAME TO runs;
CREATE INDEX runs_by_time ON runs (created_at);

-- What a run reports while it is carried out, numbered from 1 without gaps.
CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    at     TEXT NOT NULL,
    step   TEXT NOT NULL,                 -- '' for the run itself
    kind   TEXT NOT NULL,
    name   TEXT NOT NULL,
    text   TEXT NOT NULL,
    done   INTEGER NOT NULL,
    total  INTEGER NOT NULL,
    PRIMARY KEY (run_id, seq)
);
