(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (identifier) @name) @definition.class
(class name: (identifier) @name) @definition.class
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(field_definition property: (property_identifier) @name
  value: [(arrow_function) (function_expression)] @body) @definition.method
(field_definition property: (property_identifier) @name) @definition.field

; `const f = () => …` is a function, any other module-level binding a variable.
(lexical_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)] @body)) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)] @body)) @definition.function
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(program (export_statement
  declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable))
(program (export_statement
  declaration: (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable))

; `app.get = function …`, `Store.prototype.save = …`, `exports.run = …`
(expression_statement (assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)] @body)) @definition.function
; `{ save() {}, load: function () {} }` in an object that has a name.
(pair key: (property_identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)] @body) @definition.method
