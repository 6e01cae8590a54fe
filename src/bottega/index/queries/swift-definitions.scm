(class_declaration "class" name: (type_identifier) @name) @definition.class
(class_declaration "actor" name: (type_identifier) @name) @definition.class
(class_declaration "struct" name: (type_identifier) @name) @definition.struct
(class_declaration "enum" name: (type_identifier) @name) @definition.enum
(protocol_declaration name: (type_identifier) @name) @definition.protocol
; `extension Outer.Inner` is about Inner.
(class_declaration "extension" name: (user_type . (type_identifier) @name .)) @definition.extension
(class_declaration "extension"
  name: (user_type . (type_identifier) @name . (type_arguments) .)) @definition.extension
(class_declaration "extension"
  name: (user_type . (type_identifier) @owner . (type_identifier) @name .)) @definition.extension
(class_declaration "extension"
  name: (user_type . (type_identifier) @owner . (type_identifier) @owner . (type_identifier) @name .)
) @definition.extension
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro

; The field called name holds the type of the result as well.
(function_declaration name: [(simple_identifier) (custom_operator)
  "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "!" "~" "&" "|" "^"] @name) @definition.function
(protocol_function_declaration name: [(simple_identifier) (custom_operator)
  "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "!" "~" "&" "|" "^"] @name) @definition.method
(init_declaration "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method

(enum_entry name: (simple_identifier) @name) @definition.constant
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property

; Properties stand in a file or in a type; local ones stand among statements.
(class_body (property_declaration (modifiers (property_modifier "static"))
  (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(enum_class_body (property_declaration (modifiers (property_modifier "static"))
  (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @definition.property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @definition.property)
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property)
(source_file (property_declaration (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @definition.variable)
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(source_file (property_declaration
  name: (pattern (pattern (simple_identifier) @name))) @definition.variable)

; The grammar gives up on some types as a whole; their opening and their methods are still to be had.
(ERROR . "class" . (simple_identifier) @name) @definition.class
(ERROR . (modifiers) . "class" . (simple_identifier) @name) @definition.class
(ERROR . "struct" . (simple_identifier) @name) @definition.struct
(ERROR . (modifiers) . "struct" . (simple_identifier) @name) @definition.struct
(ERROR . "extension" . (user_type . (type_identifier) @name .)) @definition.extension
