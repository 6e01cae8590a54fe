# TODO: check sums
store_put() {
  tar -czf "$BACKUP_DIR/$1.tgz" "$2" && say "kept $1"
}

store_prune() { find "$BACKUP_DIR" -mtime +"$1" -delete; }
