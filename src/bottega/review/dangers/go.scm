(call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_name) @go-shell
  arguments: (argument_list
    (interpreted_string_literal) @_shell . (interpreted_string_literal) @_option . (_) @_command)
  (#eq? @_package "exec")
  (#any-of? @_name "Command" "CommandContext")
  (#match? @_shell "^\"(?:/\\w+)*/?(?:ba|z|da|k)?sh\"$|^\"cmd(?:\\.exe)?\"$|^\"powershell")
  (#match? @_option "^\"[-/]l?[cC]\"$")
  (#built? @_command))

(keyed_element
  key: (literal_element (identifier) @go-tls)
  value: (literal_element (true))
  (#eq? @go-tls "InsecureSkipVerify"))

(assignment_statement
  left: (expression_list (selector_expression field: (field_identifier) @go-tls))
  right: (expression_list (true))
  (#eq? @go-tls "InsecureSkipVerify"))

(call_expression
  function: (selector_expression field: (field_identifier) @go-sql)
  arguments: (argument_list (_) @_statement)
  (#any-of? @go-sql "Query" "QueryRow" "Exec" "QueryContext" "QueryRowContext" "ExecContext" "Prepare"
    "PrepareContext" "Raw" "Queryx" "MustExec" "Get" "Select" "NamedExec")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_name) @go-html
  arguments: (argument_list . (_) @_html)
  (#eq? @_package "template")
  (#any-of? @_name "HTML" "JS" "URL" "HTMLAttr")
  (#built? @_html)
  (#unquoted? @_html))
