(source . (comment)* . (call target: (identifier) @_def (arguments . (alias) @namespace)) (#eq? @_def "defmodule"))
; Everything is a call: the word says what is defined.
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defmodule")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defprotocol")) @definition.protocol
(call target: (identifier) @_def
  (arguments . (alias) @owner (keywords (pair value: (alias) @name))) (do_block)
  (#eq? @_def "defimpl")) @scope

; `@spec` opens the definition that it describes.
(unary_operator operator: "@" operand: (call target: (identifier) @_spec
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#eq? @_spec "spec")) @definition.function @clause
; Clauses: `def f(a)`, `def f`, each also with a guard, an operator, a body in `do:`.
(call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block)? @body
  (#any-of? @_def "def" "defp" "defdelegate" "defcallback")) @definition.function @clause
(call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when")) (do_block)? @body
  (#any-of? @_def "def" "defp")) @definition.function @clause
(call target: (identifier) @_def (arguments . (identifier) @name) (do_block)? @body
  (#any-of? @_def "def" "defp" "defdelegate")) @definition.function @clause
(call target: (identifier) @_def
  (arguments . (binary_operator left: (identifier) @name operator: "when")) (do_block)? @body
  (#any-of? @_def "def" "defp")) @definition.function @clause
(call target: (identifier) @_def (arguments . (binary_operator operator: _ @name)) (do_block)? @body
  (#any-of? @_def "def" "defp") (#not-eq? @name "when")) @definition.function @clause
(call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp" "defn" "defnp")) @definition.macro @clause
(call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when")) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro @clause
(call target: (identifier) @_def (arguments . (identifier) @name) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop")) @definition.macro @clause

; The fields of `defstruct [:name, size: 0]` and `defstruct name: nil`.
(call target: (identifier) @_def (arguments (list (atom) @name @definition.field))
  (#any-of? @_def "defstruct" "defexception"))
(call target: (identifier) @_def (arguments (list (keywords (pair key: (keyword) @name) @definition.field)))
  (#any-of? @_def "defstruct" "defexception"))
(call target: (identifier) @_def (arguments (keywords (pair key: (keyword) @name) @definition.field))
  (#any-of? @_def "defstruct" "defexception"))

; `@limit 10` outside of functions, `@type t :: …`, `@callback keep(t) :: …`
(unary_operator operator: "@" operand: (call target: (identifier) @_kind
  (arguments . (binary_operator left: (identifier) @name operator: "::")))
  (#any-of? @_kind "type" "typep" "opaque")) @definition.type
(unary_operator operator: "@" operand: (call target: (identifier) @_kind
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_kind "type" "typep" "opaque")) @definition.type
(unary_operator operator: "@" operand: (call target: (identifier) @_kind
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_kind "callback" "macrocallback")) @definition.method
(do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))
  (#not-match? @name "^(\\w*doc|spec|typep?|opaque|\\w*callbacks?|behaviour|impl|derive|before_compile|after_compile|after_verify|on_load|on_definition|compile|dialyzer|enforce_keys|external_resource|deprecated|\\w*tag|since|vsn|file|nifs|fallback_to_any|schema_prefix|foreign_key_type|primary_key|requirements)$")) @definition.constant)

(call target: (identifier) @_test (arguments . (string (quoted_content) @name)) (do_block) @body
  (#any-of? @_test "test" "describe")) @definition.function
