(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @call) .))
(infix_expression (_) . (simple_identifier) @call . (_))
(callable_reference "::" (simple_identifier) @call)

(class_declaration (delegation_specifier [
  (user_type (type_identifier) @inherit .)
  (user_type (type_identifier) @inherit . (type_arguments) .)
  (constructor_invocation (user_type (type_identifier) @inherit .))
  (constructor_invocation (user_type (type_identifier) @inherit . (type_arguments) .))
  (explicit_delegation (user_type (type_identifier) @inherit .))
  (explicit_delegation (user_type (type_identifier) @inherit . (type_arguments) .))]))
(object_declaration (delegation_specifier [
  (user_type (type_identifier) @inherit .)
  (user_type (type_identifier) @inherit . (type_arguments) .)
  (constructor_invocation (user_type (type_identifier) @inherit .))
  (constructor_invocation (user_type (type_identifier) @inherit . (type_arguments) .))
  (explicit_delegation (user_type (type_identifier) @inherit .))
  (explicit_delegation (user_type (type_identifier) @inherit . (type_arguments) .))]))
(companion_object (type_identifier) (delegation_specifier [
  (user_type (type_identifier) @inherit .)
  (user_type (type_identifier) @inherit . (type_arguments) .)
  (constructor_invocation (user_type (type_identifier) @inherit .))
  (constructor_invocation (user_type (type_identifier) @inherit . (type_arguments) .))
  (explicit_delegation (user_type (type_identifier) @inherit .))
  (explicit_delegation (user_type (type_identifier) @inherit . (type_arguments) .))]))
; `object : Listener { … }` in the middle of a function.
(object_literal (delegation_specifier [
  (user_type (type_identifier) @type)
  (constructor_invocation (user_type (type_identifier) @call))]))

; A type is asked for by the place where it stands: as a base it is no mere use.
(parameter (user_type (type_identifier) @type))
(class_parameter (user_type (type_identifier) @type))
(variable_declaration (user_type (type_identifier) @type))
(function_declaration (user_type (type_identifier) @type))
(receiver_type (user_type (type_identifier) @type))
(nullable_type (user_type (type_identifier) @type))
(type_projection (user_type (type_identifier) @type))
(type_parameter (user_type (type_identifier) @type))
(function_type (user_type (type_identifier) @type))
(function_type_parameters (user_type (type_identifier) @type))
(type_alias (user_type (type_identifier) @type))
(getter (user_type (type_identifier) @type))
(as_expression (user_type (type_identifier) @type))
(check_expression (user_type (type_identifier) @type))
(type_test (user_type (type_identifier) @type))
(catch_block (user_type (type_identifier) @type))
(annotation (user_type (type_identifier) @type))
(annotation (constructor_invocation (user_type (type_identifier) @type)))

(import_header) @import

[(line_comment) (multiline_comment)] @comment

; Values: functions and types that are mentioned without a call.
(navigation_expression (navigation_suffix (simple_identifier) @value))
