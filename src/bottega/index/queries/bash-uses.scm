(command name: (command_name (word) @call)
  (#not-any-of? @call "." "source" ":" "[" "[[" "echo" "printf" "exit" "return" "shift" "set" "cd" "true" "false" "test"
    "read" "eval" "exec" "command" "builtin" "alias" "cat" "rm" "mkdir" "sed" "grep" "awk" "break" "continue"))
; `trap tidy EXIT`, `command_for_each item tidy`: the first word of a handler.
(command name: (command_name (word) @_trap) . argument: (word) @call (#any-of? @_trap "trap" "command" "exec"))
(command name: (command_name (word) @_load) (#any-of? @_load "." "source")) @import
(comment) @comment
