(file_scoped_namespace_declaration name: (_) @namespace)
(compilation_unit (namespace_declaration name: (_) @namespace))
(declaration_list (namespace_declaration name: (_) @name) @scope)

; Without a body, the semicolon is where the signature ends.
(class_declaration name: (identifier) @name body: (_)) @definition.class
(class_declaration name: (identifier) @name ";" @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)) @definition.struct
(struct_declaration name: (identifier) @name ";" @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)) @definition.record
(record_declaration name: (identifier) @name ";" @body) @definition.record
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(delegate_declaration name: (identifier) @name ";" @body) @definition.type

(constructor_declaration name: (identifier) @name) @definition.method
(method_declaration name: (identifier) @name body: (_)) @definition.method
(method_declaration name: (identifier) @name ";" @body) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(operator_declaration operator: _ @name) @definition.method
(indexer_declaration "this" @name [accessors: (_) value: (_)] @body) @definition.property

(enum_member_declaration name: (identifier) @name) @definition.constant
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))
(property_declaration name: (identifier) @name accessors: (_) @body) @definition.property
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @definition.property
(event_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_const "const")) @definition.constant
(field_declaration (modifier) @_static (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_static "static") (#eq? @_readonly "readonly")) @definition.constant
; An attribute may stand on a line of its own: the signature goes on to the semicolon.
(field_declaration (attribute_list)
  (variable_declaration (variable_declarator name: (identifier) @name)) ";" @body) @definition.field
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
