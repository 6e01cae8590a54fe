; `package a.b` and below it `package c` make a.b.c.
(compilation_unit (package_clause name: (_) @namespace)+)

(class_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(object_definition name: (_) @name) @definition.object
(package_object name: (_) @name) @definition.object
(enum_definition name: (_) @name) @definition.enum
(type_definition name: (_) @name) @definition.type

; The signature ends at the equals sign, or where a body begins without one.
(function_definition name: (_) @name "=" @body) @definition.function
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (_) @name body: (with_template_body)) @definition.object
(given_definition name: (_) @name "=" @body) @definition.variable
(given_definition name: (_) @name) @definition.variable

; What has no name of its own is called after the type that it is for.
(given_definition !name return_type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)]) @scope
(extension_definition parameters: (parameters . (parameter type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)]))) @scope

(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(class_parameter ["val" "var"] name: (_) @name) @definition.field
(class_definition "case"
  class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))

; Values stand in a file or in a type; local ones stand in blocks. A capital makes a constant.
((template_body (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(template_body (val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)]) @definition.field)
(template_body (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.field)
(with_template_body (val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)]) @definition.field)
(with_template_body (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.field)
(enum_body (val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)]) @definition.field)
(enum_body (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.field)
((compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(compilation_unit (val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)]) @definition.variable)
(compilation_unit (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)]) @definition.variable)
(template_body (val_declaration name: (_) @name) @definition.field)
(template_body (var_declaration name: (_) @name) @definition.field)
