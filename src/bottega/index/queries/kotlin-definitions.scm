(package_header (identifier) @namespace)

; The grammar gives bodies no field, so each is pointed at.
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.object
; Without a name, a companion's members are those of its class.
(companion_object (type_identifier) @name (class_body)? @body) @definition.object
(type_alias (type_identifier) @name) @definition.type

; `fun String.half()` belongs to String, wherever it stands.
(function_declaration
  (receiver_type [
    (user_type (type_identifier) @owner .)
    (user_type (type_identifier) @owner . (type_arguments) .)
    (nullable_type (user_type (type_identifier) @owner .))
    (nullable_type (user_type (type_identifier) @owner . (type_arguments) .))])
  (simple_identifier) @name (function_body)? @body) @definition.function
(class_body (function_declaration (simple_identifier) @name (function_body)? @body) @definition.method)
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name "{"? @body) @definition.method

(enum_entry (simple_identifier) @name (class_body)? @body) @definition.constant
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property
(property_declaration (modifiers (property_modifier) @_const)
  (variable_declaration (simple_identifier) @name)
  (#eq? @_const "const")) @definition.constant

; Properties stand in a file or in a type; local ones stand among statements.
; An accessor on its own line comes as a sibling and is left out.
(property_declaration (receiver_type [
    (user_type (type_identifier) @owner .)
    (user_type (type_identifier) @owner . (type_arguments) .)
    (nullable_type (user_type (type_identifier) @owner .))
    (nullable_type (user_type (type_identifier) @owner . (type_arguments) .))])
  (variable_declaration (simple_identifier) @name)) @definition.property
(class_body
  (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(enum_class_body
  (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(source_file
  (property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable)
(source_file (property_declaration
  (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @definition.variable)
