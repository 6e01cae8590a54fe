(header module: (module) @namespace)
(declarations (data_type name: (name) @name) @definition.struct)
(declarations (newtype name: (name) @name) @definition.struct)
(declarations (type_synomym name: (name) @name) @definition.type)
(declarations (type_family name: (name) @name) @definition.type)
(declarations (data_family name: (name) @name) @definition.type)
(declarations (class name: (name) @name declarations: (_)? @body) @definition.interface)
; What an instance defines is called after its class and its type.
(instance name: (name) @owner patterns: (type_patterns . [
  (name) @name (list) @name (tuple) @name (variable) @name (qualified) @name
  (parens type: (apply constructor: (name) @name))
  (parens type: (apply constructor: (apply constructor: (name) @name)))]) declarations: (_)) @scope

(data_constructor constructor: (_ name: (constructor) @name)) @definition.constant
(gadt_constructor name: (constructor) @name) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(field name: (field_name (variable) @name)) @definition.field

; A signature and the equations below it are clauses of one definition.
(declarations (signature name: (variable) @name) @definition.function @clause)
(declarations (signature name: (prefix_id (operator) @name)) @definition.function @clause)
(declarations (foreign_import signature: (signature name: (variable) @name)) @definition.function)
(declarations (function name: (variable) @name match: (_) @body) @definition.function @clause)
(declarations (function (infix operator: (operator) @name) match: (_) @body) @definition.function @clause)
(declarations (function (infix operator: (infix_id (variable) @name)) match: (_) @body) @definition.function @clause)
(declarations (function name: (prefix_id (operator) @name) match: (_) @body) @definition.function @clause)
(declarations (bind name: (variable) @name match: (_) @body) @definition.function @clause)
(class_declarations (signature name: (variable) @name) @definition.method @clause)
(class_declarations (signature name: (prefix_id (operator) @name)) @definition.method @clause)
(class_declarations (function name: (variable) @name match: (_) @body) @definition.method @clause)
(class_declarations (bind name: (variable) @name match: (_) @body) @definition.method @clause)
(class_declarations (type_family name: (name) @name) @definition.type)
(instance_declarations (function name: (variable) @name match: (_) @body) @definition.method @clause)
(instance_declarations (function (infix operator: (operator) @name) match: (_) @body) @definition.method @clause)
(instance_declarations (bind name: (variable) @name match: (_) @body) @definition.method @clause)
(declarations (pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.constant)
; Functions of a `where` or a `let`.
(local_binds (function name: (variable) @name match: (_) @body) @definition.function @clause)
