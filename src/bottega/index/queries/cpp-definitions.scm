; A function is what has a body, or is purely virtual. Other declarations are left out, so that a call leads to a body.
; Its name may stand behind `Foo::`, and under one node for each `*` or `&` of the type that it returns.
((template_declaration (function_definition declarator: (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])])
  body: (_) @body)) @definition.function)
((template_declaration (function_definition declarator: (_ (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])]))
  body: (_) @body)) @definition.function)
((template_declaration (function_definition declarator: (_ (_ (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])])))
  body: (_) @body)) @definition.function)
((function_definition declarator: (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])])) @definition.function
  (#not-match? @name "^(?:TYPED_)?TEST(?:_F|_P)?$"))
((function_definition declarator: (_ (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])]))) @definition.function
  (#not-match? @name "^(?:TYPED_)?TEST(?:_F|_P)?$"))
((function_definition declarator: (_ (_ (function_declarator declarator: [
    (identifier) @name (field_identifier) @name (operator_name) @name (destructor_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
      (identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) @name (operator_name) @name (destructor_name) @name])])])])))) @definition.function
  (#not-match? @name "^(?:TYPED_)?TEST(?:_F|_P)?$"))
(function_definition declarator: (operator_cast) @name) @definition.function
(function_definition declarator: (qualified_identifier
  scope: (_) @owner name: (operator_cast) @name)) @definition.function
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (_ (function_declarator declarator: (field_identifier) @name))] default_value: (number_literal)) @definition.method
; `TEST(Suite, Case) {…}`
((function_definition !type declarator: (function_declarator declarator: (identifier) @_test parameters: (parameter_list
    . (parameter_declaration type: (_) @owner) . (parameter_declaration type: (_) @name) .))) @definition.function
  (#match? @_test "^(?:TYPED_)?TEST(?:_F|_P)?$"))

(template_declaration (class_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body)) @definition.class
(class_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body) @definition.class
(template_declaration (struct_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body)) @definition.struct
(struct_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body) @definition.struct
(template_declaration (union_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body)) @definition.struct
(union_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] body: (_) @body) @definition.struct
; `class EXPORTED Foo : public Bar {…}` reads as a function.
(function_definition type: (class_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(template_declaration (alias_declaration name: (type_identifier) @name type: (_) @body)) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(template_declaration (concept_definition name: (identifier) @name . (_) @body)) @definition.type
(namespace_definition name: (namespace_identifier) @name) @definition.module
(namespace_definition name: (nested_namespace_specifier
  (namespace_identifier) @owner . (namespace_identifier) @name)) @definition.module
(namespace_definition name: (nested_namespace_specifier (namespace_identifier) @owner
  (nested_namespace_specifier (namespace_identifier) @owner . (namespace_identifier) @name))) @definition.module

((field_declaration declarator: [
    (field_identifier) @name
    (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)])
    (pointer_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)
      (pointer_declarator declarator: (field_identifier) @name)])
    (reference_declarator (field_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (field_identifier) @name)))]) @definition.constant
  (#match? @definition.constant "^(?:(?:static|inline)\\s+)*constexpr\\b"))
((field_declaration declarator: [
    (field_identifier) @name
    (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)])
    (pointer_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)
      (pointer_declarator declarator: (field_identifier) @name)])
    (reference_declarator (field_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (field_identifier) @name)))]) @definition.field
  (#not-match? @definition.field "^(?:(?:static|inline)\\s+)*constexpr\\b"))

; Globals that are made here: at the top, under its first conditions, in a namespace.
((translation_unit (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.constant)
  (#match? @definition.constant "^(?:(?:static|inline)\\s+)*constexpr\\b"))
((translation_unit (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.variable)
  (#not-match? @definition.variable "^(?:extern\\b|(?:(?:static|inline)\\s+)*constexpr\\b)"))
((translation_unit (preproc_ifdef (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.constant))
  (#match? @definition.constant "^(?:(?:static|inline)\\s+)*constexpr\\b"))
((translation_unit (preproc_ifdef (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.variable))
  (#not-match? @definition.variable "^(?:extern\\b|(?:(?:static|inline)\\s+)*constexpr\\b)"))
((translation_unit (preproc_if (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.constant))
  (#match? @definition.constant "^(?:(?:static|inline)\\s+)*constexpr\\b"))
((translation_unit (preproc_if (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.variable))
  (#not-match? @definition.variable "^(?:extern\\b|(?:(?:static|inline)\\s+)*constexpr\\b)"))
((declaration_list (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.constant)
  (#match? @definition.constant "^(?:(?:static|inline)\\s+)*constexpr\\b"))
((declaration_list (declaration declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (_ [(identifier) @name (_ (identifier) @name)])])
    ]) @definition.variable)
  (#not-match? @definition.variable "^(?:extern\\b|(?:(?:static|inline)\\s+)*constexpr\\b)"))

; A macro without a value is an include guard or a switch.
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name value: (_) @body) @definition.macro

(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
((type_definition type: (_ name: (_) @_tag body: (_)) declarator: (type_identifier) @name @definition.type)
  (#not-eq? @name @_tag))
((type_definition type: (_ name: (_) @_tag !body) declarator: (type_identifier) @name) @definition.type
  (#not-eq? @name @_tag))
(type_definition type: [(primitive_type) (sized_type_specifier) (type_identifier)]
  declarator: (type_identifier) @name) @definition.type
(type_definition type: (_ !body) declarator: [
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator
    declarator: (type_identifier) @name)))]) @definition.type
