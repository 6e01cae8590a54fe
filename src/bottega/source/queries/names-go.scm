(source_file [
  (function_declaration name: (_) @name)
  (method_declaration name: (_) @name)
  (type_declaration (_ name: (_) @name))
  (const_declaration (const_spec name: (identifier) @name))
  (var_declaration (var_spec name: (identifier) @name))
  (var_declaration (var_spec_list (var_spec name: (identifier) @name)))
])
