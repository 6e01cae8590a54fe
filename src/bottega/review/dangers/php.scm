(function_call_expression
  function: (name) @php-eval
  arguments: (arguments . (argument (_) @_code))
  (#any-of? @php-eval "eval" "create_function")
  (#dynamic? @_code))

(include_expression
  (_) @php-include
  (#match? @php-include "\\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\\b"))

(require_expression
  (_) @php-include
  (#match? @php-include "\\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\\b"))

(function_call_expression
  function: (name) @php-unserialize
  arguments: (arguments . (argument (_) @_data)) @_arguments
  (#eq? @php-unserialize "unserialize")
  (#dynamic? @_data)
  (#not-match? @_arguments "allowed_classes|^\\(serialize\\("))

(function_call_expression
  function: (name) @php-shell
  arguments: (arguments . (argument (_) @_command))
  (#any-of? @php-shell "system" "exec" "shell_exec" "passthru" "popen" "proc_open")
  (#dynamic? @_command)
  (#not-array? @_command)
  (#unquoted? @_command))

(shell_command_expression
  [(variable_name) (subscript_expression) (member_access_expression)] @_part) @php-shell

(function_call_expression
  function: (name) @php-sql
  arguments: (arguments (argument (_) @_statement))
  (#any-of? @php-sql "mysqli_query" "mysql_query" "pg_query" "mysqli_multi_query" "sqlite_query" "odbc_exec")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(member_call_expression
  name: (name) @php-sql
  arguments: (arguments . (argument (_) @_statement))
  (#any-of? @php-sql "query" "exec" "prepare" "multi_query" "execute" "executeQuery" "executeStatement" "get_results"
    "get_var" "get_row" "select" "statement" "unprepared")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(scoped_call_expression
  scope: (_) @_class
  name: (name) @php-sql
  arguments: (arguments . (argument (_) @_statement))
  (#match? @_class "DB$")
  (#any-of? @php-sql "select" "insert" "update" "delete" "statement" "unprepared" "raw")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(function_call_expression
  function: (name) @_name
  arguments: (arguments (argument (name) @php-tls) . (argument (_) @_off))
  (#eq? @_name "curl_setopt")
  (#any-of? @php-tls "CURLOPT_SSL_VERIFYPEER" "CURLOPT_SSL_VERIFYHOST")
  (#match? @_off "^(?i:false|0)$"))

(array_element_initializer
  . (_) @php-tls
  (_) @_off .
  (#match? @php-tls "^(?:CURLOPT_SSL_VERIFY(?:PEER|HOST)|['\"](?:verify|verify_peer|verify_peer_name)['\"])$")
  (#match? @_off "^(?i:false|0)$"))

(echo_statement
  (_) @php-html
  (#match? @php-html "\\$_(?:GET|POST|REQUEST|COOKIE)\\b")
  (#unquoted? @php-html))
