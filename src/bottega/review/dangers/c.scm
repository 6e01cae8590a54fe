; C and C++.

(call_expression
  function: (identifier) @c-gets
  arguments: (argument_list . (_) .)
  (#eq? @c-gets "gets"))

(call_expression
  function: (identifier) @c-copy
  arguments: (argument_list . (identifier) @_buffer . (_) @_text)
  (#any-of? @c-copy "strcpy" "strcat" "wcscpy" "wcscat" "stpcpy")
  (#dynamic? @_text)
  (#fixed-array? @_buffer))

(call_expression
  function: (identifier) @c-copy
  arguments: (argument_list . (identifier) @_buffer . (_) @_format . (_))
  (#any-of? @c-copy "sprintf" "vsprintf")
  (#match? @_format "%[-0-9]*s|^\\w+$")
  (#fixed-array? @_buffer))

(call_expression
  function: (identifier) @c-scan
  arguments: (argument_list (string_literal) @_format)
  (#any-of? @c-scan "scanf" "fscanf" "sscanf")
  (#match? @_format "%s"))

(call_expression
  function: (identifier) @c-shell
  arguments: (argument_list . (_) @_command)
  (#any-of? @c-shell "system" "popen" "_popen" "_wsystem")
  (#dynamic? @_command))

(call_expression
  function: (identifier) @c-format
  arguments: (argument_list . (_) @_format .)
  (#any-of? @c-format "printf" "wprintf")
  (#dynamic? @_format)
  (#untranslated? @_format))

(call_expression
  function: (identifier) @c-format
  arguments: (argument_list . (_) . (_) @_format .)
  (#any-of? @c-format "fprintf" "sprintf" "dprintf" "syslog" "fwprintf")
  (#dynamic? @_format)
  (#untranslated? @_format))

(call_expression
  function: (identifier) @c-format
  arguments: (argument_list . (_) . (_) . (_) @_format .)
  (#any-of? @c-format "snprintf" "swprintf")
  (#dynamic? @_format)
  (#untranslated? @_format))

(call_expression
  function: (identifier) @c-mktemp
  (#any-of? @c-mktemp "mktemp" "tmpnam" "tempnam"))
