(call target: (identifier) @call
  (#not-match? @call "^(def\\w*|alias|import|require|use|if|unless|case|cond|with|for|fn|quote|unquote|raise|\\w*doc|spec|typep?|opaque|callback|behaviour|impl|test|describe|assert|refute|receive|try|super|send|spawn|t|is_\\w+)$"))
; `Store.keep`, `store.keep(1)`, but not the field in `store.size`.
(call target: (dot left: (alias) right: (identifier) @call))
(call target: (dot right: (identifier) @call) (arguments))
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
