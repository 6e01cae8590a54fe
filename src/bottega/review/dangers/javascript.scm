; JavaScript and TypeScript. A capture named like a rule reports that rule.

(call_expression
  function: (identifier) @js-eval
  arguments: (arguments . (_) @_code)
  (#eq? @js-eval "eval")
  (#dynamic? @_code))

(new_expression
  constructor: (identifier) @js-eval
  arguments: (arguments) @_code
  (#eq? @js-eval "Function")
  (#dynamic? @_code))

(call_expression
  function: (identifier) @js-eval
  arguments: (arguments . (_) @_code)
  (#any-of? @js-eval "setTimeout" "setInterval")
  (#built? @_code))

(call_expression
  function: (member_expression object: (identifier) @_module property: (property_identifier) @_name) @js-eval
  arguments: (arguments . (_) @_code)
  (#eq? @_module "vm")
  (#any-of? @_name "runInThisContext" "runInNewContext" "runInContext" "compileFunction")
  (#dynamic? @_code))

(call_expression
  function: [
    (identifier) @_name
    (member_expression object: (_) @_module property: (property_identifier) @_name
      (#match? @_module "^(?:child_process|childProcess|cp|shell|shelljs|require\\(['\"](?:node:)?child_process['\"]\\))$"))
  ] @js-shell
  arguments: (arguments . (_) @_command)
  (#any-of? @_name "exec" "execSync" "execAsync" "execPromise")
  (#built? @_command)
  (#unquoted? @_command))

(assignment_expression
  left: (member_expression property: (property_identifier) @js-html)
  right: (_) @_html
  (#any-of? @js-html "innerHTML" "outerHTML" "srcdoc")
  (#dynamic? @_html)
  (#unquoted? @_html))

(augmented_assignment_expression
  left: (member_expression property: (property_identifier) @js-html)
  right: (_) @_html
  (#any-of? @js-html "innerHTML" "outerHTML")
  (#dynamic? @_html)
  (#unquoted? @_html))

(call_expression
  function: (member_expression object: (identifier) @_document property: (property_identifier) @_name) @js-html
  arguments: (arguments . (_) @_html)
  (#eq? @_document "document")
  (#any-of? @_name "write" "writeln")
  (#dynamic? @_html)
  (#unquoted? @_html))

(call_expression
  function: (member_expression property: (property_identifier) @js-html)
  arguments: (arguments . (_) . (_) @_html)
  (#eq? @js-html "insertAdjacentHTML")
  (#dynamic? @_html)
  (#unquoted? @_html))

(pair
  key: [(property_identifier) (string)] @js-tls
  value: (false)
  (#match? @js-tls "^['\"]?(?:rejectUnauthorized|strictSSL)['\"]?$"))

(assignment_expression
  left: (member_expression property: (property_identifier) @js-tls)
  right: (_) @_value
  (#eq? @js-tls "NODE_TLS_REJECT_UNAUTHORIZED")
  (#match? @_value "^['\"`]?0['\"`]?$"))

(assignment_expression
  left: (member_expression property: (property_identifier) @js-tls)
  right: (false)
  (#eq? @js-tls "rejectUnauthorized"))

(call_expression
  function: [(identifier) @_name (member_expression property: (property_identifier) @_name)] @js-sql
  arguments: (arguments . (_) @_statement)
  (#any-of? @_name "query" "execute" "raw" "exec" "run" "all" "prepare" "$queryRawUnsafe" "$executeRawUnsafe")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(call_expression
  function: [(identifier) @_name (member_expression property: (property_identifier) @_name)] @js-unserialize
  arguments: (arguments . (_) @_data)
  (#eq? @_name "unserialize")
  (#dynamic? @_data)
  (#file-has? "serialize"))
