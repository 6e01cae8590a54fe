(function_call name: (identifier) @call (#not-match? @call "^(require|dofile|loadfile|setmetatable)$"))
(function_call name: (dot_index_expression field: (identifier) @call))
(function_call name: (method_index_expression method: (identifier) @call))

; `setmetatable({}, { __index = Base })`, `Base:extend()`, `class("Store", Base)`
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (identifier) @_set
  arguments: (arguments (table_constructor (field name: (identifier) @_index value: (identifier) @inherit)))))))
  (#eq? @_set "setmetatable") (#eq? @_index "__index"))
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (identifier) @_set
  arguments: (arguments (table_constructor (field name: (identifier) @_index
    value: (dot_index_expression field: (identifier) @inherit))))))))
  (#eq? @_set "setmetatable") (#eq? @_index "__index"))
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (method_index_expression table: (identifier) @inherit method: (identifier) @_extend)))))
  (#any-of? @_extend "extend" "subclass" "derive"))
(chunk (variable_declaration (assignment_statement (expression_list (function_call
  name: (identifier) @_class arguments: (arguments (identifier) @inherit)))))
  (#eq? @_class "class"))

(variable_declaration (assignment_statement (expression_list (function_call name: (identifier) @_load)))
  (#any-of? @_load "require" "dofile" "loadfile")) @import
(variable_declaration (assignment_statement (expression_list
  (dot_index_expression table: (function_call name: (identifier) @_load))))
  (#eq? @_load "require")) @import
(variable_declaration (assignment_statement (expression_list
  (function_call name: (function_call name: (identifier) @_load))))
  (#eq? @_load "require")) @import
(variable_declaration (assignment_statement (expression_list
  (function_call name: (dot_index_expression table: (function_call name: (identifier) @_load)))))
  (#eq? @_load "require")) @import
(assignment_statement (variable_list name: (dot_index_expression)) (expression_list (function_call name: (identifier) @_load))
  (#eq? @_load "require")) @import
(chunk (function_call name: (identifier) @_load) @import (#any-of? @_load "require" "dofile" "loadfile"))
(block (function_call name: (identifier) @_load) @import (#any-of? @_load "require" "dofile" "loadfile"))
(return_statement (expression_list (function_call name: (identifier) @_load) @import) (#eq? @_load "require"))
(field value: (function_call name: (identifier) @_load) @import (#eq? @_load "require"))
(arguments (function_call name: (identifier) @_load) @import (#eq? @_load "require"))
; `require("x").setup()` as a statement.
(chunk (function_call name: (_ table: (function_call name: (identifier) @_load) @import)) (#eq? @_load "require"))
(block (function_call name: (_ table: (function_call name: (identifier) @_load) @import)) (#eq? @_load "require"))
(comment) @comment

; Values: functions and types that are mentioned without a call.
(arguments (dot_index_expression field: (identifier) @value))
(field value: (dot_index_expression field: (identifier) @value))
(expression_list (dot_index_expression field: (identifier) @value))
