; A capture named like a rule reports that rule; captures that begin with an underscore only serve predicates.

(call
  function: [
    (identifier) @_name
    (attribute object: (identifier) @_module attribute: (identifier) @_name (#eq? @_module "builtins"))
  ] @python-eval
  arguments: (argument_list . (_) @_code)
  (#any-of? @_name "eval" "exec")
  (#dynamic? @_code))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-shell
  arguments: (argument_list . (_) @_command (keyword_argument name: (identifier) @_key value: (true)) @_shell)
  (#any-of? @_name "run" "call" "check_call" "check_output" "Popen")
  (#eq? @_key "shell")
  (#built? @_command)
  (#unquoted? @_command))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-shell
  arguments: (argument_list . (_) @_command)
  (#any-of? @_module "os" "subprocess" "commands" "asyncio")
  (#any-of? @_name "system" "popen" "getoutput" "getstatusoutput" "create_subprocess_shell")
  (#built? @_command)
  (#unquoted? @_command))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-shell
  arguments: (argument_list . (_) @_command (keyword_argument name: (identifier) @_key value: (true)) @_shell)
  (#any-of? @_name "run" "call" "check_call" "check_output" "Popen")
  (#eq? @_key "shell")
  (#match? @_command "request|[^a-z]input[(]|^input[(]|argv"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-shell
  arguments: (argument_list . (_) @_command)
  (#any-of? @_module "os" "subprocess" "commands" "asyncio")
  (#any-of? @_name "system" "popen" "getoutput" "getstatusoutput" "create_subprocess_shell")
  (#match? @_command "request|[^a-z]input[(]|^input[(]|argv"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-unpickle
  (#any-of? @_module "pickle" "cPickle" "_pickle" "dill" "cloudpickle" "joblib" "marshal" "jsonpickle")
  (#any-of? @_name "load" "loads" "Unpickler" "decode"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-yaml
  arguments: (argument_list) @_arguments
  (#eq? @_module "yaml")
  (#any-of? @_name "load" "load_all")
  (#not-match? @_arguments "Safe|BaseLoader")
  (#file-lacks? "ruamel"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-yaml
  (#eq? @_module "yaml")
  (#any-of? @_name "unsafe_load" "unsafe_load_all" "full_load" "full_load_all"))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-sql
  arguments: (argument_list . (_) @_statement)
  (#any-of? @_name "execute" "executemany" "executescript" "execute_sql" "raw" "text" "read_sql" "read_sql_query")
  (#built? @_statement)
  (#unquoted? @_statement)
  (#sql? @_statement))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-tls
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (false)) @_off)
  (#any-of? @_name "get" "post" "put" "patch" "delete" "head" "options" "request" "stream" "send"
    "Session" "Client" "AsyncClient" "HTTPTransport" "AsyncHTTPTransport")
  (#eq? @_key "verify"))

(assignment
  left: (attribute attribute: (identifier) @_name) @python-tls
  right: (false)
  (#any-of? @_name "verify" "check_hostname"))

(assignment
  left: (attribute attribute: (identifier) @_name) @python-tls
  right: (attribute attribute: (identifier) @_mode)
  (#eq? @_name "verify_mode")
  (#eq? @_mode "CERT_NONE"))

(attribute
  object: (identifier) @_module
  attribute: (identifier) @python-tls
  (#eq? @_module "ssl")
  (#eq? @python-tls "_create_unverified_context"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-jwt
  arguments: (argument_list) @_arguments
  (#eq? @_module "jwt")
  (#eq? @_name "decode")
  (#match? @_arguments "verify_signature['\"]?\\s*[:=]\\s*False|verify\\s*=\\s*False"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-password-hash
  arguments: (argument_list) @_arguments
  (#eq? @_module "hashlib")
  (#any-of? @_name "md5" "sha1" "sha224" "sha256")
  (#match? @_arguments "(?i)passw|passphrase|\\bpwd"))

(call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_name) @python-mktemp
  (#eq? @_module "tempfile")
  (#eq? @_name "mktemp"))

(call
  function: (attribute object: (_) @_archive attribute: (identifier) @_name) @python-tar
  arguments: (argument_list) @_arguments
  (#any-of? @_name "extractall" "extract")
  (#match? @_archive "(?i)tar|^tf$|^t$")
  (#file-has? "tarfile")
  (#lacks-keyword? @_arguments "filter"))

(call
  function: (attribute object: (identifier) @_app attribute: (identifier) @_name) @python-debug
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (true)) @_on)
  (#eq? @_name "run")
  (#eq? @_key "debug")
  (#match? @_app "(?i)app|server|flask|socketio"))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-autoescape
  arguments: (argument_list (keyword_argument name: (identifier) @_key value: (false)) @_off)
  (#any-of? @_name "Environment" "SandboxedEnvironment" "Template" "Jinja2Templates")
  (#eq? @_key "autoescape"))

(call
  function: [(identifier) @_name (attribute attribute: (identifier) @_name)] @python-html
  arguments: (argument_list . (_) @_html)
  (#any-of? @_name "mark_safe" "Markup" "render_template_string")
  (#built? @_html)
  (#unquoted? @_html))
