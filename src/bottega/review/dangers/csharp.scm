(object_creation_expression
  type: (_) @cs-unserialize
  (#match? @cs-unserialize "(?:^|\\.)(?:BinaryFormatter|NetDataContractSerializer|SoapFormatter|LosFormatter|ObjectStateFormatter)$"))

(member_access_expression
  expression: (_) @_type
  name: (identifier) @cs-unserialize
  (#match? @_type "TypeNameHandling$")
  (#any-of? @cs-unserialize "All" "Auto" "Objects" "Arrays")
  (#assigned? @cs-unserialize))

(object_creation_expression
  type: (_) @cs-sql
  arguments: (argument_list . (argument (_) @_statement))
  (#match? @cs-sql "(?:Sql|Npgsql|MySql|Sqlite|SQLite|OleDb|Odbc|Oracle)(?:Command|DataAdapter)$")
  (#built? @_statement)
  (#sql? @_statement))

(assignment_expression
  left: (_) @cs-sql
  right: (_) @_statement
  (#match? @cs-sql "(?:^|\\.)CommandText$")
  (#built? @_statement)
  (#sql? @_statement))

(invocation_expression
  function: (member_access_expression name: (identifier) @cs-sql)
  arguments: (argument_list . (argument (_) @_statement))
  (#any-of? @cs-sql "FromSqlRaw" "ExecuteSqlRaw" "ExecuteSqlRawAsync" "SqlQueryRaw" "Query" "QueryAsync" "Execute"
    "ExecuteAsync" "QueryFirst" "QueryFirstOrDefault" "QuerySingle" "ExecuteScalar")
  (#built? @_statement)
  (#sql? @_statement))

(assignment_expression
  left: (_) @cs-tls
  right: (lambda_expression body: (_) @_body)
  (#match? @cs-tls "(?:ServerCertificateValidationCallback|ServerCertificateCustomValidationCallback|RemoteCertificateValidationCallback)$")
  (#match? @_body "^(?:true|\\{\\s*return\\s+true;\\s*\\})$"))

(assignment_expression
  left: (_) @cs-tls
  right: (anonymous_method_expression (block) @_body)
  (#match? @cs-tls "(?:ServerCertificateValidationCallback|ServerCertificateCustomValidationCallback|RemoteCertificateValidationCallback)$")
  (#match? @_body "^\\{\\s*return\\s+true;\\s*\\}$"))

(member_access_expression
  name: (identifier) @cs-tls
  (#eq? @cs-tls "DangerousAcceptAnyServerCertificateValidator"))

(invocation_expression
  function: (member_access_expression expression: (_) @_class name: (identifier) @cs-shell)
  arguments: (argument_list (argument (_) @_command))
  (#match? @_class "(?:^|\\.)Process$")
  (#eq? @cs-shell "Start")
  (#built? @_command))

(object_creation_expression
  type: (_) @cs-shell
  arguments: (argument_list (argument (_) @_command))
  (#match? @cs-shell "(?:^|\\.)ProcessStartInfo$")
  (#built? @_command))
