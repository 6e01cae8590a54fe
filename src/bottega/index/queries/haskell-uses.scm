(apply function: (variable) @call)
(apply function: (qualified id: (variable) @call))
(apply function: (constructor) @call)
(apply function: (qualified id: (constructor) @call))
(record expression: [(constructor) @call (qualified id: (constructor) @call)])
; Functions joined without their arguments: `run . open`, `tidy <$> rows`, `load >>= keep`.
(infix left_operand: [(variable) @call (qualified id: (variable) @call)] operator: (operator) @_joins
  (#match? @_joins "^([.]|[$]!?|<[$]>|<[*]>|=<<|>=>|<=<)$"))
(infix operator: (operator) @_joins right_operand: [(variable) @call (qualified id: (variable) @call)]
  (#match? @_joins "^([.]|>>=|>=>|<=<|&|<&>)$"))
(infix operator: (operator) @call
  (#not-match? @call "^([.]|[$]!?|[+]+|-|[*]+|/=?|==|<=?|>=?|&&|[|]+|<>|<[$]>?|[$]>|<[*]>?|[*]>|>>=?|=<<|>=>|<=<|!!|:|[\\^]+|<[|]>|<&>|&)$"))
(infix operator: (infix_id [(variable) @call (qualified id: (variable) @call)]))
(match expression: (variable) @call)
(match expression: (qualified id: (variable) @call))
(exp (variable) @call)
(instance name: (name) @inherit)
(class context: (context context: (apply constructor: (name) @inherit)))
(class context: (context context: (tuple (apply constructor: (name) @inherit))))
(deriving_instance name: (name) @inherit)
(deriving classes: (name) @inherit)
(deriving classes: (tuple (name) @inherit))
; Types, but not in the lists of exports and imports.
(_ constructor: (name) @type)
(_ argument: (name) @type)
(_ parameter: (name) @type)
(_ result: (name) @type)
(_ element: (name) @type)
(_ field: (name) @type)
(signature type: (name) @type)
(type_synomym type: (name) @type)
(parens type: (name) @type)
(field type: (name) @type)
(strict_field (name) @type)
(tuple (name) @type)
(qualified id: (name) @type)
(import) @import
[(comment) (haddock)] @comment

; Values: functions and types that are mentioned without a call.
(apply argument: (variable) @value)
(list (variable) @value)
(patterns (variable) @local)
(bind name: (variable) @local)
