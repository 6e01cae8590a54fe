(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))
(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))
(type (identifier) @type)
(type (attribute attribute: (identifier) @type))
(type (generic_type (identifier) @type))
(union_type (type (identifier) @type))

(import_statement) @import
(import_from_statement) @import

(comment) @comment
; The first statement of a module, a class or a function.
(module . (comment)* . (string) @docstring)
(function_definition body: (block . (string) @docstring))
(class_definition body: (block . (string) @docstring))

; Values: functions and types that are mentioned without a call.
(attribute attribute: (identifier) @value)
