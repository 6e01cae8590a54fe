-- What models said about files, kept for the content they read, also when the run is collected.
-- Promoting one copies it into the knowledge base.
CREATE TABLE enrichments (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_version TEXT NOT NULL,
  description TEXT,
  error TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX enrichments_path ON enrichments (path, hash);
