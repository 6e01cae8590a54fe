; Functions and classes, functions kept in a variable, constants in capitals, and whatever is exported.
(program [
  (function_declaration name: (_) @name)
  (generator_function_declaration name: (_) @name)
  (class_declaration name: (_) @name)
  (_ (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (class)]))
])
(program (_ (variable_declarator name: (identifier) @name)) (#match? @name "^[A-Z][A-Z0-9_]*$"))

(program (export_statement declaration: [
  (function_declaration name: (_) @name)
  (generator_function_declaration name: (_) @name)
  (class_declaration name: (_) @name)
  (_ (variable_declarator name: (identifier) @name))
]))
(program (export_statement (export_clause (export_specifier name: (_) @name !alias))))
(program (export_statement (export_clause (export_specifier alias: (_) @name))))

(program (expression_statement (assignment_expression
  left: (member_expression object: (_) @exports property: (property_identifier) @name))
  (#any-of? @exports "exports" "module.exports")))
(program (expression_statement (assignment_expression
  left: (member_expression) @exports
  right: (object [(shorthand_property_identifier) @name (pair key: (property_identifier) @name)]))
  (#eq? @exports "module.exports")))
