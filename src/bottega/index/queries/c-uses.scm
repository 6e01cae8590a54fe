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

; Values: functions and types that are mentioned without a call.
(argument_list (identifier) @value)
(initializer_list (identifier) @value)
(initializer_pair value: (identifier) @value)
(init_declarator value: (identifier) @value)
(assignment_expression right: (identifier) @value)
(pointer_expression argument: (identifier) @value)
(cast_expression value: (identifier) @value)
(return_statement (identifier) @value)
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(declaration declarator: (identifier) @local)
(declaration declarator: (pointer_declarator declarator: (identifier) @local))
(init_declarator declarator: (identifier) @local)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
