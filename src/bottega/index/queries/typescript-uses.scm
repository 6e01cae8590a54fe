(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (property_identifier) @call))

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
(extends_clause value: (identifier) @inherit)
(extends_clause value: (member_expression property: (property_identifier) @inherit))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (type_identifier) @inherit))
(extends_type_clause type: (type_identifier) @inherit)
(extends_type_clause type: (generic_type name: (type_identifier) @inherit))
(type_annotation (type_identifier) @type)
(type_annotation (generic_type name: (type_identifier) @type))
(type_arguments (type_identifier) @type)
(union_type (type_identifier) @type)
(array_type (type_identifier) @type)
(type_annotation (array_type (type_identifier) @type))

; Values: functions and types that are mentioned without a call.
(member_expression property: (property_identifier) @value)
