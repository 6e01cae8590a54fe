; `class A::B::C` belongs to A.B.
(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (constant) @owner name: (constant) @name)) @definition.module
(module name: (scope_resolution
  scope: (scope_resolution scope: (constant) @owner name: (constant) @owner) name: (constant) @name)) @definition.module
(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (constant) @owner name: (constant) @name)) @definition.class
(class name: (scope_resolution
  scope: (scope_resolution scope: (constant) @owner name: (constant) @owner) name: (constant) @name)) @definition.class

; `Point = Struct.new(:x) do … end`, `Failure = Class.new(StandardError)`
(assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new)
  (#any-of? @_maker "Struct" "Class" "Data" "OpenStruct")
  (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new)
  (#eq? @_maker "Module") (#eq? @_new "new")) @definition.module
(assignment left: (constant) @name) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant

; A `def` at the top of a file is called like a function, any other belongs to something.
(program (method name: (_) @name) @definition.function)
(call method: (identifier) @_access arguments: (argument_list . (method name: (_) @name body: (_)? @body) .)
  (#any-of? @_access "private" "protected" "public" "module_function" "private_class_method" "memoize")) @definition.method
(method name: (_) @name) @definition.method
(singleton_method object: (self) name: (_) @name) @definition.method
(singleton_method object: [(constant) (identifier)] @owner name: (_) @name) @definition.method
(alias name: (identifier) @name) @definition.method

; Methods that another call makes; the name is a symbol.
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) @name)
  block: (_) @body
  (#any-of? @_make "define_method" "define_singleton_method")) @definition.method
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_make "define_method" "define_singleton_method" "alias_method" "scope")) @definition.method
(call !receiver method: (identifier) @_make arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_make "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor"
    "class_attribute" "thread_mattr_accessor")) @definition.property
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_make "belongs_to" "has_many" "has_one" "has_and_belongs_to_many")) @definition.property
