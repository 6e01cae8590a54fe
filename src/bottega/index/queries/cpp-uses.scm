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
