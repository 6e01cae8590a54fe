(source_file [
  (function_item name: (_) @name)
  (struct_item name: (_) @name)
  (enum_item name: (_) @name)
  (union_item name: (_) @name)
  (trait_item name: (_) @name)
  (type_item name: (_) @name)
  (const_item name: (_) @name)
  (static_item name: (_) @name)
  (mod_item name: (_) @name)
  (macro_definition name: (_) @name)
])
; Tests are called by the test runner alone.
((source_file (mod_item name: (_) @private)) (#eq? @private "tests"))
