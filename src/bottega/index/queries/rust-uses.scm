(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @call)))
(struct_expression name: (type_identifier) @call)
(struct_expression name: (scoped_type_identifier name: (type_identifier) @call))
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (identifier) @call))
; The arguments of a macro are bare tokens: `name(…)` is a call there as anywhere.
((token_tree (identifier) @call . (token_tree) @_arguments) (#match? @_arguments "^\\("))

(impl_item trait: (type_identifier) @inherit)
(impl_item trait: (scoped_type_identifier name: (type_identifier) @inherit))
(impl_item trait: (generic_type type: (type_identifier) @inherit))
(impl_item trait: (generic_type type: (scoped_type_identifier name: (type_identifier) @inherit)))
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(trait_item bounds: (trait_bounds (scoped_type_identifier name: (type_identifier) @inherit)))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @inherit)))

(parameter type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(field_declaration type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(ordered_field_declaration_list type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(reference_type type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(pointer_type type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(generic_type type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(let_declaration type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(const_item type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(static_item type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(type_item type: [(type_identifier) @type (scoped_type_identifier name: (type_identifier) @type)])
(_ return_type: (type_identifier) @type)
(_ return_type: (scoped_type_identifier name: (type_identifier) @type))
(_ element: (type_identifier) @type)
(type_arguments (type_identifier) @type)
(type_arguments (scoped_type_identifier name: (type_identifier) @type))
(tuple_type (type_identifier) @type)
(abstract_type trait: (type_identifier) @type)
(dynamic_type trait: (type_identifier) @type)
(dynamic_type trait: (scoped_type_identifier name: (type_identifier) @type))
(type_parameter bounds: (trait_bounds (type_identifier) @type))
(type_parameter bounds: (trait_bounds (scoped_type_identifier name: (type_identifier) @type)))
(where_predicate bounds: (trait_bounds (type_identifier) @type))
(where_predicate bounds: (trait_bounds (scoped_type_identifier name: (type_identifier) @type)))

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import

(line_comment) @comment
(block_comment) @comment

; Values: functions and types that are mentioned without a call.
(arguments (scoped_identifier name: (identifier) @value))
(field_initializer value: (scoped_identifier name: (identifier) @value))
(let_declaration value: (scoped_identifier name: (identifier) @value))
(array_expression (scoped_identifier name: (identifier) @value))
(tuple_expression (scoped_identifier name: (identifier) @value))
(reference_expression value: (scoped_identifier name: (identifier) @value))
(match_arm value: (scoped_identifier name: (identifier) @value))
(block (scoped_identifier name: (identifier) @value))
