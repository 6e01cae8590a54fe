(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (property_identifier) @call))
(class_heritage (identifier) @inherit)
(class_heritage (member_expression property: (property_identifier) @inherit))
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)

(import_statement) @import
(export_statement source: (_)) @import
(lexical_declaration (variable_declarator value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(variable_declaration (variable_declarator value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(expression_statement (call_expression function: (identifier) @_require)
  (#eq? @_require "require")) @import
(call_expression function: (import)) @import

(comment) @comment

; Values: functions and types that are mentioned without a call.
(member_expression property: (property_identifier) @value)
