; Functions live in types here, so the methods of top-level types count where they are open to callers.
(compilation_unit [
  (class_declaration name: (identifier) @name)
  (interface_declaration name: (identifier) @name)
  (struct_declaration name: (identifier) @name)
  (record_declaration name: (identifier) @name)
  (enum_declaration name: (identifier) @name)
  (delegate_declaration name: (identifier) @name)
  (global_statement (local_function_statement name: (identifier) @name))
])
(compilation_unit (namespace_declaration body: (declaration_list (_ name: (identifier) @name))))

(compilation_unit (_ body: (declaration_list
  (method_declaration (modifier) @modifier name: (identifier) @name)))
  (#any-of? @modifier "public" "internal" "protected"))
(compilation_unit (namespace_declaration body: (declaration_list (_ body: (declaration_list
  (method_declaration (modifier) @modifier name: (identifier) @name)))))
  (#any-of? @modifier "public" "internal" "protected"))

(compilation_unit (interface_declaration body: (declaration_list
  (method_declaration name: (identifier) @name))))
(compilation_unit (namespace_declaration body: (declaration_list (interface_declaration body: (declaration_list
  (method_declaration name: (identifier) @name))))))
