; A function is what has a body. Its prototypes are left out, so that a call leads to the body and not to a header.
; The name lies under one pointer for each star of the return type.
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_)) @definition.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))
  body: (_)) @definition.function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) @definition.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))))) @definition.function

(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator declarator: (array_declarator
  declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (array_declarator
  declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
  declarator: (field_identifier) @name)))) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator
    declarator: (field_identifier) @name))))) @definition.field

; `typedef struct {…} name;` gives the struct its only name. In `typedef struct tag {…} name;` the struct is `tag`, and
; `name` is another name for it unless they are the same.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
((type_definition type: (_ name: (_) @_tag body: (_)) declarator: (type_identifier) @name @definition.type)
  (#not-eq? @name @_tag))
((type_definition type: (_ name: (_) @_tag !body) declarator: (type_identifier) @name) @definition.type
  (#not-eq? @name @_tag))
(type_definition type: [(primitive_type) (sized_type_specifier) (type_identifier) (macro_type_specifier)]
  declarator: (type_identifier) @name) @definition.type
(type_definition type: (_ !body) declarator: [
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator
    declarator: (type_identifier) @name)))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator
    declarator: (type_identifier) @name))))]) @definition.type
(type_definition type: (_ body: (_)) declarator: (pointer_declarator
  declarator: (type_identifier) @name @definition.type))

; A macro without a value is an include guard or a switch.
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name value: (_) @body) @definition.macro

; Globals that are made here: at the top, under its first conditions, in `extern "C"`.
((translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (init_declarator declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))])
  ]) @definition.variable) (#not-match? @definition.variable "^extern\\b"))
((translation_unit (preproc_ifdef (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (init_declarator declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))])
  ]) @definition.variable)) (#not-match? @definition.variable "^extern\\b"))
((translation_unit (preproc_if (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (init_declarator declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))])
  ]) @definition.variable)) (#not-match? @definition.variable "^extern\\b"))
((declaration_list (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (init_declarator declarator: [
    (identifier) @name
    (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))])
  ]) @definition.variable) (#not-match? @definition.variable "^extern\\b"))
