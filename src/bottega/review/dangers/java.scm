(method_invocation
  object: (_) @_runtime
  name: (identifier) @java-shell
  arguments: (argument_list . (_) @_command)
  (#eq? @java-shell "exec")
  (#match? @_runtime "(?i)runtime")
  (#built? @_command))

(object_creation_expression
  type: (type_identifier) @java-shell
  arguments: (argument_list . (string_literal) @_shell . (string_literal) @_option . (_) @_command)
  (#eq? @java-shell "ProcessBuilder")
  (#match? @_shell "sh\"$|cmd")
  (#match? @_option "^\"[-/][cC]\"$")
  (#dynamic? @_command))

(object_creation_expression
  type: (_) @java-unserialize
  arguments: (argument_list . (_))
  (#match? @java-unserialize "^(?:java\\.io\\.)?ObjectInputStream$|^(?:java\\.beans\\.)?XMLDecoder$"))

(method_invocation
  name: (identifier) @java-sql
  arguments: (argument_list . (_) @_statement)
  (#any-of? @java-sql "execute" "executeQuery" "executeUpdate" "executeLargeUpdate" "addBatch" "prepareStatement"
    "prepareCall" "createQuery" "createNativeQuery" "createSQLQuery" "query" "queryForObject" "queryForList"
    "queryForMap" "update" "batchUpdate" "rawQuery" "execSQL")
  (#built? @_statement)
  (#sql? @_statement))

(method_declaration
  name: (identifier) @java-tls
  parameters: (formal_parameters (formal_parameter) . (formal_parameter))
  body: (block) @_body
  (#any-of? @java-tls "checkServerTrusted" "checkClientTrusted")
  (#match? @_body "^\\{\\s*(?:return;\\s*)?(?://[^\\n]*\\s*)?\\}$"))

(method_declaration
  name: (identifier) @java-tls
  parameters: (formal_parameters) @_parameters
  body: (block . (return_statement (true)) .)
  (#eq? @java-tls "verify")
  (#match? @_parameters "SSLSession"))

(method_invocation
  name: (identifier) @java-tls
  arguments: (argument_list (lambda_expression body: (true)))
  (#match? @java-tls "(?i)hostnameverifier$"))

((identifier) @java-tls
  (#any-of? @java-tls "NoopHostnameVerifier" "ALLOW_ALL_HOSTNAME_VERIFIER")
  (#not-in-import? @java-tls))
