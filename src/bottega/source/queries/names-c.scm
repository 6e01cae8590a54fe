; Functions do not nest in C, and `#ifdef` does, so definitions count at any depth.
(function_definition declarator: (function_declarator declarator: (identifier) @name))
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))))

(struct_specifier name: (_) @name body: (_))
(union_specifier name: (_) @name body: (_))
(enum_specifier name: (_) @name body: (_))
(type_definition declarator: (type_identifier) @name)

; A macro without a value is a switch or a guard, not something to call.
(preproc_def name: (_) @name value: (_))
(preproc_function_def name: (_) @name)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)))
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator
  declarator: (identifier) @name))))
