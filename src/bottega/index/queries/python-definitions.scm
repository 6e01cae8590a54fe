; Functions and classes at any depth, with their decorators.
(decorated_definition
  definition: (function_definition name: (identifier) @name body: (_) @body)) @definition.function
(function_definition name: (identifier) @name body: (_) @body) @definition.function
(decorated_definition
  definition: (class_definition name: (identifier) @name body: (_) @body)) @definition.class
(class_definition name: (identifier) @name body: (_) @body) @definition.class

; Names bound in a module or a class body, also under `if` and `try`.
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name)) @definition.variable)
(class_definition
  body: (block (assignment left: (identifier) @name) @definition.variable))
(module (if_statement
  consequence: (block (assignment left: (identifier) @name) @definition.variable)))
(module (try_statement
  body: (block (assignment left: (identifier) @name) @definition.variable)))
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
