(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (type_identifier) @name) @definition.class
(class name: (type_identifier) @name) @definition.class
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(public_field_definition name: (property_identifier) @name
  value: [(arrow_function) (function_expression)] @body) @definition.method
(public_field_definition name: (property_identifier) @name) @definition.field

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

(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: [(identifier) (nested_identifier)] @name) @definition.module
(module name: [(identifier) (nested_identifier) (string)] @name) @definition.module
(method_signature name: (property_identifier) @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method
(function_signature name: (identifier) @name) @definition.function
(interface_body (property_signature name: (property_identifier) @name) @definition.field)
