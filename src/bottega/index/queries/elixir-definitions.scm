; Everything is a call: the word says what is defined.
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defmodule")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defprotocol")) @definition.protocol
(call target: (identifier) @_def
  (arguments . (alias) @owner (keywords (pair value: (alias) @name))) (do_block)
  (#eq? @_def "defimpl")) @scope

; `def f(a)`, `def f`, each also with a guard, an operator, a body in `do:`.
(call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block)? @body
  (#any-of? @_def "def" "defp" "defdelegate" "defcallback")) @definition.function
(call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when")) (do_block)? @body
  (#any-of? @_def "def" "defp")) @definition.function
(call target: (identifier) @_def (arguments . (identifier) @name) (do_block)? @body
  (#any-of? @_def "def" "defp" "defdelegate")) @definition.function
(call target: (identifier) @_def
  (arguments . (binary_operator left: (identifier) @name operator: "when")) (do_block)? @body
  (#any-of? @_def "def" "defp")) @definition.function
(call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp" "defn" "defnp")) @definition.macro
(call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when")) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro
(call target: (identifier) @_def (arguments . (identifier) @name) (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop")) @definition.macro

; A struct has the name of its module; the word that opens it stands for it.
(call target: (identifier) @name (#any-of? @name "defstruct" "defexception")) @definition.struct

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
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "behaviour"
    "impl" "derive" "before_compile" "after_compile" "on_load" "on_definition" "compile" "dialyzer" "enforce_keys"
    "external_resource" "deprecated" "tag" "moduletag" "describetag" "optional_callbacks" "since" "vsn" "file" "nifs"
    "fallback_to_any" "schema_prefix" "foreign_key_type" "primary_key" "timestamps_opts" "shortdoc" "requirements")) @definition.constant)

(call target: (identifier) @_test (arguments . (string (quoted_content) @name)) (do_block) @body
  (#any-of? @_test "test" "describe")) @definition.function
