# Speaking to whoever runs this.
LOG_PREFIX="[backup]"

function say {
  printf '%s %s\n' "$LOG_PREFIX" "$*"
}

function fail() {
  say "$@" >&2
  exit 1
}
