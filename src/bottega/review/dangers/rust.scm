(call_expression
  function: (field_expression field: (field_identifier) @rust-tls)
  arguments: (arguments . (boolean_literal) @_on)
  (#any-of? @rust-tls "danger_accept_invalid_certs" "danger_accept_invalid_hostnames")
  (#eq? @_on "true"))

(call_expression
  function: (field_expression value: (_) @_chain field: (field_identifier) @rust-shell)
  arguments: (arguments (_) @_command)
  (#any-of? @rust-shell "arg" "args")
  (#match? @_chain "Command::new\\(\\s*\"(?:/\\w+)*/?(?:ba|z|da)?sh\"")
  (#macro-built? @_command))

(call_expression
  function: [
    (scoped_identifier name: (identifier) @rust-sql)
    (field_expression field: (field_identifier) @rust-sql)
  ]
  arguments: (arguments . (_) @_statement)
  (#any-of? @rust-sql "query" "query_as" "query_scalar" "execute" "execute_batch" "prepare" "query_row" "sql_query"
    "batch_execute" "query_one" "raw_sql")
  (#macro-built? @_statement)
  (#sql? @_statement))
