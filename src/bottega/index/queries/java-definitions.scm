(package_declaration [(identifier) (scoped_identifier)] @namespace)
(module_declaration name: (_) @name) @definition.module

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.record

(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
; Without a body, the semicolon is where the signature ends.
(method_declaration name: (identifier) @name body: (block)) @definition.method
(method_declaration name: (identifier) @name ";" @body) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method

(enum_constant name: (identifier) @name) @definition.constant
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
(interface_body (constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant)
(annotation_type_body (constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant)
(field_declaration (modifiers "static" "final")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration (modifiers "final" "static")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
; An annotation may stand on a line of its own: the signature goes on to the semicolon.
(field_declaration (modifiers [(annotation) (marker_annotation)])
  declarator: (variable_declarator name: (identifier) @name) ";" @body) @definition.field
(field_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.field
