(package_clause (package_identifier) @namespace)

(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name) @definition.method

; What stands alone begins at its keyword, a member of a group in parentheses at its own line.
((type_declaration (type_spec name: (_) @name type: (struct_type (_) @body))) @definition.struct
  (#not-match? @definition.struct "^type\\s*\\("))
(type_declaration "(" (type_spec name: (_) @name type: (struct_type (_) @body)) @definition.struct)
((type_declaration (type_spec name: (_) @name type: (interface_type))) @definition.interface
  (#not-match? @definition.interface "^type\\s*\\("))
(type_declaration "(" (type_spec name: (_) @name type: (interface_type)) @definition.interface)
((type_declaration (type_spec name: (_) @name type: [
    (array_type) (channel_type) (function_type) (generic_type) (map_type) (parenthesized_type) (pointer_type)
    (qualified_type) (slice_type) (type_identifier)])) @definition.type
  (#not-match? @definition.type "^type\\s*\\("))
(type_declaration "(" (type_spec name: (_) @name type: [
    (array_type) (channel_type) (function_type) (generic_type) (map_type) (parenthesized_type) (pointer_type)
    (qualified_type) (slice_type) (type_identifier)]) @definition.type)
((type_declaration (type_alias name: (_) @name)) @definition.type (#not-match? @definition.type "^type\\s*\\("))
(type_declaration "(" (type_alias name: (_) @name) @definition.type)
(method_elem name: (field_identifier) @name) @definition.method
(field_declaration name: (field_identifier) @name) @definition.field

; At the top of the file only; `var _ I = T{}` names nothing.
((source_file (const_declaration (const_spec (identifier) @name)) @definition.constant)
  (#not-match? @definition.constant "^const\\s*\\(") (#not-eq? @name "_"))
((source_file (const_declaration "(" (const_spec (identifier) @name) @definition.constant))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec name: (identifier) @name)) @definition.variable)
  (#not-match? @definition.variable "(?s)^var\\s+\\S+\\s*=\\s*func\\b.*\\}$") (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec name: (identifier) @name
    value: (expression_list . (func_literal body: (_) @body) .))) @definition.function)
  (#match? @definition.function "(?s)^var\\s+\\S+\\s*=\\s*func\\b.*\\}$"))
