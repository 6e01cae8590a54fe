(namespace_definition name: (namespace_name) @namespace)
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
; A class without a name is called after what it is kept in.
(expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: (object_creation_expression (anonymous_class body: (_) @body)))) @definition.class

(enum_case name: (name) @name) @definition.constant
(const_declaration (const_element (name) @name)) @definition.constant
(expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name))))
  (#eq? @_define "define")) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property
; `$handler = function () {}` and `$f = fn () => …` at the top of a file.
(program (expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @definition.function)
