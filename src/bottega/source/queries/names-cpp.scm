; A free function's own name is an `identifier`; members written inside a class are not.
(function_definition declarator: (function_declarator declarator: (identifier) @name))
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))
(function_definition declarator: (reference_declarator
  (function_declarator declarator: (identifier) @name)))

(class_specifier name: (type_identifier) @name body: (_))
(struct_specifier name: (type_identifier) @name body: (_))
(union_specifier name: (type_identifier) @name body: (_))
(enum_specifier name: (type_identifier) @name body: (_))
(type_definition declarator: (type_identifier) @name)
(translation_unit (alias_declaration name: (_) @name))
(namespace_definition body: (declaration_list (alias_declaration name: (_) @name)))

; A macro without a value is a switch or a guard, not something to call.
(preproc_def name: (_) @name value: (_))
(preproc_function_def name: (_) @name)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)))
(namespace_definition body: (declaration_list
  (declaration declarator: (init_declarator declarator: (identifier) @name))))

; A constructor inside its class is spelt like a free function.
(field_declaration_list (function_definition
  declarator: (function_declarator declarator: (identifier) @private)))
