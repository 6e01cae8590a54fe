; An attribute stands beside what it is about, which begins with it.
((attribute_item)+ @lead . (function_item name: (identifier) @name) @definition.function)
((attribute_item)+ @lead . (function_signature_item name: (identifier) @name) @definition.function)
((attribute_item)+ @lead . (struct_item name: (type_identifier) @name) @definition.struct)
((attribute_item)+ @lead . (union_item name: (type_identifier) @name) @definition.struct)
((attribute_item)+ @lead . (enum_item name: (type_identifier) @name) @definition.enum)
((attribute_item)+ @lead . (trait_item name: (type_identifier) @name) @definition.trait)
((attribute_item)+ @lead . (enum_variant name: (identifier) @name) @definition.constant)
((attribute_item)+ @lead . (field_declaration name: (field_identifier) @name) @definition.field)
((attribute_item)+ @lead . (mod_item name: (identifier) @name body: (_)) @definition.module)
((attribute_item)+ @lead . (macro_definition name: (identifier) @name . (_) @body) @definition.macro)

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function

(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name) @definition.field

; `mod name;` only says where the module is: see the uses.
(mod_item name: (identifier) @name body: (_)) @definition.module
(macro_definition name: (identifier) @name . (_) @body) @definition.macro

; At the top of a file or a module, in a trait or an impl, not in a function.
(source_file (const_item name: (identifier) @name) @definition.constant)
(source_file (static_item name: (identifier) @name) @definition.variable)
(declaration_list (const_item name: (identifier) @name) @definition.constant)
(declaration_list (static_item name: (identifier) @name) @definition.variable)

; What an impl holds belongs to its type, whatever trait it is for.
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @scope
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @scope
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) @scope
(impl_item type: (reference_type type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (type_identifier) @name)])) @scope
(impl_item type: (dynamic_type trait: (type_identifier) @name)) @scope
(impl_item type: (primitive_type) @name) @scope

; `cfg_net! { pub fn f() {…} impl T {…} }`: items that a macro wraps are bare tokens, and only their names are seen.
(source_file (macro_invocation (token_tree "fn" . (identifier) @name @definition.function)))
(source_file (macro_invocation (token_tree ["struct" "union"] . (identifier) @name @definition.struct)))
(source_file (macro_invocation (token_tree "enum" . (identifier) @name @definition.enum)))
(source_file (macro_invocation (token_tree "trait" . (identifier) @name @definition.trait)))
(source_file (macro_invocation (token_tree "static" . (identifier) @name @definition.variable)))
(source_file (macro_invocation (token_tree ["impl" "for"] . (identifier) @name . (token_tree) @scope)))
(source_file (macro_invocation (token_tree (token_tree "fn" . (identifier) @name @definition.function))))
(declaration_list (macro_invocation (token_tree "fn" . (identifier) @name @definition.function)))
