; Round brackets or a closure call something; square ones look something up.
(call_expression . (simple_identifier) @call (call_suffix [(value_arguments "(") (lambda_literal)]))
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))
  (call_suffix [(value_arguments "(") (lambda_literal)]))
(call_expression . (prefix_expression target: (simple_identifier) @call)
  (call_suffix [(value_arguments "(") (lambda_literal)]))
(constructor_expression constructed_type: (user_type (type_identifier) @call .))
(constructor_expression constructed_type: (user_type (type_identifier) @call . (type_arguments) .))
(macro_invocation (simple_identifier) @call)

(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit .))
(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit . (type_arguments) .))

; What an extension extends is a use, like the types of parameters, results and elements.
(_ name: (user_type (type_identifier) @type))
(_ wrapped: (user_type (type_identifier) @type))
(opaque_type (user_type (type_identifier) @type))
(existential_type (user_type (type_identifier) @type))
(protocol_composition_type (user_type (type_identifier) @type))
(attribute (user_type (type_identifier) @type))
(as_expression type: (user_type (type_identifier) @type))
(check_expression type: (user_type (type_identifier) @type))

(import_declaration) @import

[(comment) (multiline_comment)] @comment

; Values: functions and types that are mentioned without a call.
(navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @value))
(value_argument value: (simple_identifier) @value)
(parameter name: (simple_identifier) @local)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @local))
