-- The chain that must hold: run -> steps -> calls (+ effects, decisions, validations) -> outcome.

CREATE TABLE runs (
    id           TEXT PRIMARY KEY,
    pipeline     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    definition   TEXT NOT NULL,           -- the merged pipeline as it ran, JSON
    input        TEXT NOT NULL,           -- the first state, JSON
    settings     TEXT NOT NULL,           -- what actions may read of the settings, JSON
    status       TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted')),
    error        TEXT,
    final_state  TEXT,                    -- JSON, once done
    version      TEXT NOT NULL,           -- of bottega
    created_at   TEXT NOT NULL,
    ended_at     TEXT
);
CREATE INDEX runs_by_time ON runs (created_at);

CREATE TABLE steps (
    run_id       TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,        -- 1 for the first step carried out
    step_id      TEXT NOT NULL,
    action       TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    outcome      TEXT,
    error        TEXT,
    started_at   TEXT NOT NULL,
    ended_at     TEXT,
    PRIMARY KEY (run_id, seq)
);

CREATE TABLE calls (
    id                TEXT PRIMARY KEY,
    run_id            TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq               INTEGER NOT NULL,
    request_hash      TEXT NOT NULL,
    nth               INTEGER NOT NULL,   -- equal requests within one step are told apart by order
    stage             TEXT NOT NULL,
    role              TEXT NOT NULL,
    model             TEXT NOT NULL,
    request           TEXT NOT NULL,      -- JSON, secrets masked
    prompt_version    TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (status IN ('sent', 'completed', 'failed')),
    reply             TEXT,
    thinking          TEXT,
    tool_calls        TEXT,
    finish            TEXT,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    latency_ms        INTEGER,
    cost              REAL,               -- NULL is unknown, not free
    error             TEXT,
    verdict           TEXT CHECK (verdict IN ('accepted', 'refused')),
    verdict_reason    TEXT,
    sent_at           TEXT NOT NULL,
    ended_at          TEXT
);
CREATE INDEX calls_by_run ON calls (run_id, seq, request_hash, nth);

CREATE TABLE attempts (
    call_id    TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    n          INTEGER NOT NULL,
    error      TEXT,                      -- NULL for the one that answered
    started_at TEXT NOT NULL,
    ended_at   TEXT NOT NULL,
    PRIMARY KEY (call_id, n)
);

CREATE TABLE effects (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    name     TEXT NOT NULL,
    nth      INTEGER NOT NULL,
    value    TEXT NOT NULL,               -- JSON: what the outside world answered
    at       TEXT NOT NULL,
    PRIMARY KEY (run_id, seq, name, nth)
);

CREATE TABLE decisions (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,               -- JSON
    reason   TEXT NOT NULL,
    at       TEXT NOT NULL
);
CREATE INDEX decisions_by_run ON decisions (run_id, seq);

CREATE TABLE validations (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    checker  TEXT NOT NULL,
    result   TEXT NOT NULL CHECK (result IN ('passed', 'failed', 'unknown')),
    detail   TEXT NOT NULL,
    at       TEXT NOT NULL
);
CREATE INDEX validations_by_run ON validations (run_id, seq);

-- What became of a run's product. "The pipeline finished" is not an outcome.
CREATE TABLE outcomes (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    detail   TEXT NOT NULL,
    at       TEXT NOT NULL
);
CREATE INDEX outcomes_by_run ON outcomes (run_id);

CREATE TABLE session_archives (
    run_id      TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    session     BLOB NOT NULL,
    archived_at TEXT NOT NULL
);

-- What was measured or probed about a model: schema support, window, characters per token, speed.
CREATE TABLE model_facts (
    model      TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL,             -- JSON
    updated_at TEXT NOT NULL,
    PRIMARY KEY (model, name)
);
