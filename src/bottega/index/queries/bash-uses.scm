(command name: (command_name (word) @call)
  (#match? @call "^[A-Za-z_]")
  (#not-match? @call "^(source|echo|printf|exit|return|shift|set|cd|true|false|test|read|eval|exec|command|builtin|alias|cat|rm|mkdir|sed|grep|awk|break|continue|trap|local)$"))
; `trap tidy EXIT`: the first word of what is run later.
(command name: (command_name (word) @_trap) . argument: (word) @call (#any-of? @_trap "trap" "command" "exec"))
(command name: (command_name (word) @_load) (#any-of? @_load "." "source")) @import
(comment) @comment
