(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (pointer_expression (identifier) @call)))
(call_expression function: (parenthesized_expression (pointer_expression
  (field_expression field: (field_identifier) @call))))

(parameter_declaration type: (type_identifier) @type)
(parameter_declaration type: (_ name: (type_identifier) @type))
(function_definition type: (type_identifier) @type)
(function_definition type: (_ name: (type_identifier) @type))
(field_declaration type: (type_identifier) @type)
(field_declaration type: (_ !body name: (type_identifier) @type))
(declaration type: (type_identifier) @type)
(declaration type: (_ !body name: (type_identifier) @type))
(type_definition type: (type_identifier) @type)
(type_definition type: (_ !body name: (type_identifier) @type))
(type_descriptor type: (type_identifier) @type)
(type_descriptor type: (_ name: (type_identifier) @type))

(preproc_include) @import

(comment) @comment
