-- What models may read of a repository. Everything here can be rebuilt from the files and their history.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE segments (name TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  role TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT 'project',
  hash TEXT NOT NULL,
  blob TEXT NOT NULL,
  size INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  depth TEXT NOT NULL,
  note TEXT NOT NULL,
  namespace TEXT NOT NULL,
  module TEXT NOT NULL,
  analysis BLOB,
  segment TEXT,
  document INTEGER,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL
);

CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  qualified TEXT NOT NULL,
  node TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  signature TEXT NOT NULL,
  parent_id INTEGER
);

CREATE TABLE docstrings (
  file_id INTEGER NOT NULL,
  symbol_id INTEGER,
  content TEXT NOT NULL,
  format TEXT NOT NULL
);

CREATE TABLE comments (
  file_id INTEGER NOT NULL,
  symbol_id INTEGER,
  line INTEGER NOT NULL,
  content TEXT NOT NULL,
  kind TEXT NOT NULL,
  is_rationale INTEGER NOT NULL
);

-- One row for each file an import leads to; target_id is 0 where it leads out of the repository. `name` is as written,
-- `taken` what that means in the target: a name, "" for the whole of it, "*" for everything in it.
CREATE TABLE imports (
  file_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  target_id INTEGER NOT NULL,
  module TEXT NOT NULL,
  name TEXT NOT NULL,
  taken TEXT NOT NULL,
  alias TEXT NOT NULL,
  line INTEGER NOT NULL
);

-- From a symbol, or from a file where source_symbol is 0, to another.
CREATE TABLE edges (
  source_file INTEGER NOT NULL,
  source_symbol INTEGER NOT NULL,
  target_file INTEGER NOT NULL,
  target_symbol INTEGER NOT NULL,
  kind TEXT NOT NULL,
  how TEXT NOT NULL,
  confidence REAL NOT NULL,
  line INTEGER NOT NULL,
  count INTEGER NOT NULL
);

-- The same between files, added up: what ranking walks along.
CREATE TABLE links (
  source_file INTEGER NOT NULL,
  target_file INTEGER NOT NULL,
  kind TEXT NOT NULL,
  weight REAL NOT NULL
);

CREATE TABLE commits (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL,
  author TEXT NOT NULL,
  written TEXT NOT NULL,
  message TEXT NOT NULL,
  files_changed INTEGER NOT NULL
);
CREATE TABLE file_commits (
  commit_id INTEGER NOT NULL,
  path TEXT NOT NULL,
  current TEXT NOT NULL,
  renamed_from TEXT NOT NULL,
  PRIMARY KEY (commit_id, path)
) WITHOUT ROWID;
CREATE TABLE co_changes (
  path_a TEXT NOT NULL,
  path_b TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_commit TEXT NOT NULL,
  PRIMARY KEY (path_a, path_b),
  CHECK (path_a < path_b)
) WITHOUT ROWID;

-- What a model wrote about a file, kept for the content it was written about.
CREATE TABLE file_metadata (
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  purpose TEXT NOT NULL,
  module TEXT NOT NULL,
  domain TEXT NOT NULL,
  concepts TEXT NOT NULL,
  public_api_surface TEXT NOT NULL,
  complexity_notes TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_version TEXT NOT NULL,
  PRIMARY KEY (path, hash)
) WITHOUT ROWID;

CREATE TABLE adapter_metadata (
  id INTEGER PRIMARY KEY,
  stage_name TEXT NOT NULL,
  base_model TEXT NOT NULL,
  model_tag TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  active INTEGER NOT NULL DEFAULT 1,
  performance_notes TEXT NOT NULL DEFAULT '',
  deployed_at TEXT NOT NULL
);

-- Graphs made elsewhere.
CREATE TABLE outside_nodes (
  graph TEXT NOT NULL,
  node TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (graph, node)
) WITHOUT ROWID;
CREATE TABLE outside_edges (
  graph TEXT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (graph, source, target, kind)
) WITHOUT ROWID;
