(header module: (module) @namespace)
(declarations (data_type name: (name) @name) @definition.class)
(declarations (newtype name: (name) @name) @definition.class)
(declarations (type_synomym name: (name) @name) @definition.type)
(declarations (type_family name: (name) @name) @definition.type)
(declarations (data_family name: (name) @name) @definition.type)
(declarations (class name: (name) @name declarations: (_)? @body) @definition.interface)
; What an instance defines is called after its class and its type.
(instance name: (name) @owner patterns: (type_patterns) @name declarations: (_)) @scope

(data_constructor constructor: (_ name: (constructor) @name)) @definition.constant
(gadt_constructor name: (constructor) @name) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(field name: (field_name (variable) @name)) @definition.field

; A signature and the equations below it are one definition: the signature opens it.
(declarations (signature name: (variable) @name) @definition.function)
(declarations (signature name: (prefix_id (operator) @name)) @definition.function)
(declarations (foreign_import signature: (signature name: (variable) @name)) @definition.function)
(declarations (function name: (variable) @name match: (_) @body) @definition.function)
(declarations (function (infix operator: (operator) @name) match: (_) @body) @definition.function)
(declarations (function name: (prefix_id (operator) @name) match: (_) @body) @definition.function)
(declarations (bind name: (variable) @name match: (_) @body) @definition.function)
(class_declarations (signature name: (variable) @name) @definition.method)
(instance_declarations (function name: (variable) @name match: (_) @body) @definition.method)
(instance_declarations (bind name: (variable) @name match: (_) @body) @definition.method)
(declarations (pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.constant)
; Functions of a `where` or a `let`.
(local_binds (function name: (variable) @name match: (_) @body) @definition.function)
