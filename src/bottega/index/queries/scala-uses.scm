(call_expression function: [(identifier) (operator_identifier)] @call)
(generic_function function: (identifier) @call)
; A method without brackets is called as a field is read.
(field_expression field: [(identifier) (operator_identifier)] @call)
(infix_expression operator: (identifier) @call)
(postfix_expression (_) . (identifier) @call .)
(instance_expression [
  (type_identifier) @call
  (stable_type_identifier (type_identifier) @call .)
  (generic_type type: [(type_identifier) @call (stable_type_identifier (type_identifier) @call .)])
  (compound_type base: [(type_identifier) @call (generic_type type: (type_identifier) @call)])
  (compound_type extra: [(type_identifier) @type (generic_type type: (type_identifier) @type)])])

; The field called type is there once only, for the first of them.
(extends_clause [
  (type_identifier) @inherit
  (stable_type_identifier (type_identifier) @inherit .)
  (generic_type type: [(type_identifier) @inherit (stable_type_identifier (type_identifier) @inherit .)])
  (compound_type [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)])])
(derives_clause (type_identifier) @inherit)
(given_definition name: (_)
  return_type: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)]
  body: (with_template_body))
(given_definition !name
  return_type: [(type_identifier) @type (generic_type type: (type_identifier) @type)])

; A type is asked for by the place where it stands: in `new Base` and after `extends` it is no mere use.
(parameter type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(class_parameter type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(function_definition return_type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(function_declaration return_type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(val_definition type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(val_declaration type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(var_definition type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(type_definition type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(type_arguments [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(typed_pattern type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(context_bound type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(upper_bound type: [
  (type_identifier) @type
  (stable_type_identifier (type_identifier) @type .)
  (generic_type type: (type_identifier) @type)])
(self_type (type_identifier) @type)
(lazy_parameter_type type: (type_identifier) @type)
(repeated_parameter_type type: (type_identifier) @type)
(parameter_types (type_identifier) @type)
(function_type return_type: (type_identifier) @type)
(infix_type (type_identifier) @type)
(case_class_pattern type: (type_identifier) @type)
(annotation name: (type_identifier) @type)

(import_declaration) @import

[(comment) (block_comment)] @comment
