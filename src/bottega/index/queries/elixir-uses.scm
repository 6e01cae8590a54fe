(call target: (identifier) @call
  (#not-any-of? @call "def" "defp" "defmacro" "defmacrop" "defmodule" "defprotocol" "defimpl" "defstruct" "defexception"
    "defdelegate" "defguard" "defguardp" "alias" "import" "require" "use" "if" "unless" "case" "cond" "with" "for" "fn"
    "quote" "unquote" "raise" "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "behaviour" "impl"
    "test" "describe" "assert" "refute" "when" "and" "or" "not" "in" "receive" "try" "super" "send" "spawn"))
(call target: (dot right: (identifier) @call))
(binary_operator operator: "|>" right: (identifier) @call)
; `&helper/1`, `&Store.keep/2`
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @call operator: "/"))
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot right: (identifier) @call)) operator: "/"))

(struct (alias) @type)
(call target: (dot left: (alias) @type right: (identifier) @_t) (#eq? @_t "t"))
(unary_operator operand: (call target: (identifier) @_behaviour (arguments (alias) @inherit)) (#eq? @_behaviour "behaviour"))
(call target: (identifier) @_use (arguments . (alias) @inherit) (#eq? @_use "use"))
(call target: (identifier) @_impl (arguments . (alias) @inherit) (do_block) (#eq? @_impl "defimpl"))

(call target: (identifier) @_bring (arguments) (#any-of? @_bring "alias" "import" "require" "use")) @import
(comment) @comment
(unary_operator operand: (call target: (identifier) @_doc (arguments (string) @docstring)) (#eq? @_doc "moduledoc"))
