(pipeline
  (command name: (command_name) @_fetch) @sh-pipe
  (command) @_shell
  (#any-of? @_fetch "curl" "wget")
  (#match? @_shell "^(?:sudo\\s+(?:-\\S+\\s+)*)?(?:env\\s+)?(?:/\\w+)*/?(?:ba|z|da|k)?sh(?:\\s|$)"))

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

(command
  name: (command_name) @sh-rm
  argument: (word) @_options
  argument: [(string) (concatenation)] @_path
  (#eq? @sh-rm "rm")
  (#match? @_options "^-\\w*[rR]")
  (#match? @_path "^\"?(?:\\$\\w+|\\$\\{\\w+\\})\"?/(?:\\*|\"|$)"))
