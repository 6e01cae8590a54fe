(invocation_expression function: [
  (identifier) @call
  (generic_name . (identifier) @call)
  (member_access_expression name: (identifier) @call)
  (member_access_expression name: (generic_name . (identifier) @call))
  (conditional_access_expression (member_binding_expression name: (identifier) @call))
  (conditional_access_expression (member_binding_expression name: (generic_name . (identifier) @call)))])
(object_creation_expression type: [
  (identifier) @call
  (generic_name . (identifier) @call)
  (qualified_name name: (identifier) @call)
  (qualified_name name: (generic_name . (identifier) @call))])

(base_list [
  (identifier) @inherit
  (generic_name . (identifier) @inherit)
  (qualified_name name: (identifier) @inherit)
  (qualified_name name: (generic_name . (identifier) @inherit))])
(primary_constructor_base_type type: [
  (identifier) @inherit
  (generic_name . (identifier) @inherit)
  (qualified_name name: (identifier) @inherit)
  (qualified_name name: (generic_name . (identifier) @inherit))])

; A type is asked for by the place where it stands: in `new Base()` and after the colon it is no mere use.
(method_declaration returns: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(property_declaration type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(variable_declaration type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(parameter type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(nullable_type type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(array_type type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(type_argument_list [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(cast_expression type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(typeof_expression type: [
  (identifier) @type
  (generic_name . (identifier) @type)
  (qualified_name name: (identifier) @type)
  (qualified_name name: (generic_name . (identifier) @type))])
(local_function_statement type: (identifier) @type)
(delegate_declaration type: (identifier) @type)
(indexer_declaration type: (identifier) @type)
(event_declaration type: (identifier) @type)
(foreach_statement type: (identifier) @type)
(catch_declaration type: (identifier) @type)
(declaration_pattern type: (identifier) @type)
(type_parameter_constraint type: (identifier) @type)
(as_expression right: (identifier) @type)
(is_expression right: (identifier) @type)
(attribute name: (identifier) @type)

(using_directive) @import

(comment) @comment

; A method that is passed: `Run(Parse)`, `handler += this.Changed`.
(argument [(identifier) @value (member_access_expression name: (identifier) @value)])
(assignment_expression right: [(identifier) @value (member_access_expression name: (identifier) @value)])
