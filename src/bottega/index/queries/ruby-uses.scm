; `Store.new` makes a Store; every other call is known by its method.
(call receiver: (constant) @call method: (identifier) @_new (#eq? @_new "new"))
(call receiver: (scope_resolution name: (constant) @call) method: (identifier) @_new (#eq? @_new "new"))
(call method: (identifier) @call
  (#not-match? @call "^(new|require|require_relative|load|autoload|include|extend|prepend|attr_\\w+|private\\w*|public|protected|raise|puts|lambda|proc|loop|define_method|alias_method)$"))
(call receiver: (_) method: (constant) @call)
; A bare word that is a statement or a condition is mostly a call without brackets.
(body_statement (identifier) @call (#not-match? @call "^(private|public|protected|module_function)$"))
(interpolation (identifier) @call)
(if condition: (identifier) @call)
(unless condition: (identifier) @call)
(if_modifier condition: (identifier) @call)
(unless_modifier condition: (identifier) @call)

(call receiver: (constant) @type)
(call receiver: (scope_resolution name: (constant) @type))
; `raise Failure`, `rescue Failure`
(argument_list (constant) @type)
(argument_list (scope_resolution name: (constant) @type))
(exceptions (constant) @type)
(exceptions (scope_resolution name: (constant) @type))

(superclass (constant) @inherit)
(superclass (scope_resolution name: (constant) @inherit))
(call !receiver method: (identifier) @_mix arguments: (argument_list (constant) @inherit)
  (#any-of? @_mix "include" "extend" "prepend"))
(call !receiver method: (identifier) @_mix arguments: (argument_list (scope_resolution name: (constant) @inherit))
  (#any-of? @_mix "include" "extend" "prepend"))
(assignment left: (constant) right: (call receiver: (constant) @_class arguments: (argument_list . (constant) @inherit))
  (#eq? @_class "Class"))

(call !receiver method: (identifier) @_load (#any-of? @_load "require" "require_relative" "load" "autoload")) @import
(comment) @comment

; Methods named by symbols: `before_action :sign_in`, `map(&:name)`, `if: :ready?`, `alias_method :a, :b`.
(argument_list (simple_symbol) @value)
(block_argument (simple_symbol) @value)
(pair value: (simple_symbol) @value)
