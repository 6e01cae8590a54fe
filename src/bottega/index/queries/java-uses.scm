(method_invocation name: (identifier) @call)
(method_reference "::" (identifier) @call)
(object_creation_expression type: [
  (type_identifier) @call
  (scoped_type_identifier (type_identifier) @call .)
  (generic_type . [(type_identifier) @call (scoped_type_identifier (type_identifier) @call .)])])

(superclass [
  (type_identifier) @inherit
  (scoped_type_identifier (type_identifier) @inherit .)
  (generic_type . [(type_identifier) @inherit (scoped_type_identifier (type_identifier) @inherit .)])])
(super_interfaces (type_list [
  (type_identifier) @inherit
  (scoped_type_identifier (type_identifier) @inherit .)
  (generic_type . [(type_identifier) @inherit (scoped_type_identifier (type_identifier) @inherit .)])]))
(extends_interfaces (type_list [
  (type_identifier) @inherit
  (scoped_type_identifier (type_identifier) @inherit .)
  (generic_type . [(type_identifier) @inherit (scoped_type_identifier (type_identifier) @inherit .)])]))

; A type is asked for by the place where it stands: in `new Base()` and `extends Base` it is no mere use.
(method_declaration type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(field_declaration type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(constant_declaration type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(formal_parameter type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(local_variable_declaration type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(cast_expression type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(array_type element: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(enhanced_for_statement type: [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(type_arguments [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(wildcard [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(type_bound [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(spread_parameter [
  (type_identifier) @type
  (scoped_type_identifier (type_identifier) @type)
  (generic_type . [(type_identifier) @type (scoped_type_identifier (type_identifier) @type)])])
(resource type: (type_identifier) @type)
(instanceof_expression right: (type_identifier) @type)
(type_pattern (type_identifier) @type)
(record_pattern (identifier) @type)
(throws (type_identifier) @type)
(catch_type (type_identifier) @type)
(permits (type_list (type_identifier) @type))
(class_literal (type_identifier) @type)
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)

(import_declaration) @import

[(line_comment) (block_comment)] @comment

; Values: functions and types that are mentioned without a call.
(field_access field: (identifier) @value)
