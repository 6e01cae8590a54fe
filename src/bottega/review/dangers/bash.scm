((pipeline) @sh-pipe
  (#pipes-a-download? @sh-pipe))

(command
  name: (command_name) @_shell
  argument: (process_substitution (command name: (command_name) @_fetch)) @sh-pipe
  (#match? @_shell "^(?:source|\\.|(?:ba|z|da|k)?sh)$")
  (#any-of? @_fetch "curl" "wget"))

(command
  name: (command_name) @_shell
  argument: (string (command_substitution (command name: (command_name) @_fetch))) @sh-pipe
  (#match? @_shell "^(?:eval|(?:ba|z|da|k)?sh)$")
  (#any-of? @_fetch "curl" "wget"))

(command
  name: (command_name) @sh-eval
  argument: [
    (simple_expansion)
    (expansion)
    (string [(simple_expansion) (expansion)])
    (concatenation [(simple_expansion) (expansion)])
  ] @_code
  (#eq? @sh-eval "eval")
  (#unquoted? @_code))

; Two arguments of one command are not asked for here: that takes time that is quadratic in their number.
((command name: (command_name) @_name) @sh-rm
  (#eq? @_name "rm")
  (#removes-below-variable? @sh-rm))
