(call
  !receiver
  method: (identifier) @ruby-eval
  arguments: (argument_list . (_) @_code)
  (#eq? @ruby-eval "eval")
  (#dynamic? @_code))

(call
  receiver: (constant) @_module
  method: (identifier) @ruby-eval
  arguments: (argument_list . (_) @_code)
  (#eq? @_module "Kernel")
  (#eq? @ruby-eval "eval")
  (#dynamic? @_code))

(call
  receiver: (constant) @_module
  method: (identifier) @ruby-unserialize
  arguments: (argument_list . (_) @_data)
  (#eq? @_module "Marshal")
  (#any-of? @ruby-unserialize "load" "restore")
  (#dynamic? @_data)
  (#not-match? @_data "^Marshal\\.dump"))

(call
  receiver: (constant) @_module
  method: (identifier) @ruby-yaml
  arguments: (argument_list . (_) @_data)
  (#any-of? @_module "YAML" "Psych")
  (#any-of? @ruby-yaml "load" "unsafe_load" "unsafe_load_file")
  (#dynamic? @_data))

(subshell
  (interpolation) @_part
  (#unquoted? @_part)) @ruby-shell

(call
  !receiver
  method: (identifier) @ruby-shell
  arguments: (argument_list . (_) @_command)
  (#any-of? @ruby-shell "system" "exec" "spawn")
  (#built? @_command)
  (#unquoted? @_command))

(call
  receiver: (constant) @_module
  method: (identifier) @ruby-shell
  arguments: (argument_list . (_) @_command)
  (#any-of? @_module "Kernel" "IO" "Open3" "Process" "PTY")
  (#any-of? @ruby-shell "system" "exec" "spawn" "popen" "popen2" "popen2e" "popen3" "capture2" "capture2e" "capture3")
  (#built? @_command)
  (#unquoted? @_command))

(assignment
  left: (_) @_left
  right: (scope_resolution name: (constant) @ruby-tls)
  (#match? @_left "verify")
  (#eq? @ruby-tls "VERIFY_NONE"))

(pair
  key: (_) @_key
  value: (scope_resolution name: (constant) @ruby-tls)
  (#match? @_key "verify")
  (#eq? @ruby-tls "VERIFY_NONE"))

(call
  method: (identifier) @ruby-sql
  arguments: (argument_list . (_) @_statement)
  (#any-of? @ruby-sql "where" "having" "order" "group" "joins" "from" "select" "pluck" "find_by" "exists?" "delete_all"
    "update_all" "rewhere")
  (#interpolated? @_statement)
  (#unquoted? @_statement)
  (#condition? @_statement))

(call
  method: (identifier) @ruby-sql
  arguments: (argument_list . (_) @_statement)
  (#any-of? @ruby-sql "execute" "exec_query" "find_by_sql" "select_all" "select_value" "select_values" "select_rows"
    "count_by_sql" "query")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))
