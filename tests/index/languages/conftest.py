"""The repositories here are read, not run."""

collect_ignore_glob = ["*"]
