(call_expression function: (identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression field: [
  (field_identifier) @call
  (template_method name: (field_identifier) @call)
  (dependent_name (template_method name: (field_identifier) @call))]))
(call_expression function: (qualified_identifier name: [
  (identifier) @call
  (template_function name: (identifier) @call)
  (qualified_identifier name: [
    (identifier) @call
    (template_function name: (identifier) @call)
    (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)])])]))
(new_expression type: [
  (type_identifier) @call
  (template_type name: (type_identifier) @call)
  (qualified_identifier name: [(type_identifier) @call (template_type name: (type_identifier) @call)])])
(compound_literal_expression type: [
  (type_identifier) @call
  (template_type name: (type_identifier) @call)
  (qualified_identifier name: [(type_identifier) @call (template_type name: (type_identifier) @call)])])
; `Foo f(1);` and `Foo f{1};`
(declaration type: [
  (type_identifier) @call
  (template_type name: (type_identifier) @call)
  (qualified_identifier name: [(type_identifier) @call (template_type name: (type_identifier) @call)])]
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))

(base_class_clause [
  (type_identifier) @inherit
  (template_type name: (type_identifier) @inherit)
  (qualified_identifier name: [
    (type_identifier) @inherit
    (template_type name: (type_identifier) @inherit)
    (qualified_identifier name: [(type_identifier) @inherit (template_type name: (type_identifier) @inherit)])])])

(function_definition type: (class_specifier !body) (ERROR (identifier) @inherit))

(parameter_declaration type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])
(optional_parameter_declaration type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])
(function_definition type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])
(field_declaration type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])
(declaration type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])
(type_descriptor type: [
  (type_identifier) @type
  (template_type name: (type_identifier) @type)
  (qualified_identifier name: [(type_identifier) @type (template_type name: (type_identifier) @type)])])

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
(argument_list (qualified_identifier name: (identifier) @value))
(pointer_expression argument: (qualified_identifier name: (identifier) @value))
