(function_definition name: (word) @name body: (_) @body) @definition.function
; `export A=1`, `readonly B=2`, `C=3` outside of functions, also under `if`.
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command (variable_name) @name) @definition.variable)
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (if_statement (variable_assignment name: (variable_name) @name) @definition.variable))
(program (if_statement (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable))
