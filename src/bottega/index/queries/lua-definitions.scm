(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @definition.method

; `M.close = function …`, `close = function …`, `local close = function …`
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.method

; A table with a capital, or one made from another, stands for a class.
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (table_constructor) .))
  (#match? @name "^[A-Z]\\w*[a-z]")) @definition.class)
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (_) @_maker) .))
  (#match? @_maker "^(setmetatable|class|[Cc]lass\\.new|[Oo]bject:extend|\\w+:(extend|subclass|derive))$")) @definition.class)

; Values at the top of a file; `local base = require …` is an import instead.
(chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: [(number) (string) (true) (false) (nil) (table_constructor) (binary_expression)
    (unary_expression) (identifier)]))) @definition.variable)
(chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: (function_call name: (_) @_from)))
  (#not-match? @_from "^(require|dofile|loadfile|pcall)$")) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name) .)
  (expression_list . value: [(number) (string) (true) (false) (table_constructor)] .)) @definition.field)
