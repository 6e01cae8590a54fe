(program [
  (method name: (_) @name)
  (singleton_method name: (_) @name)
  (class name: (constant) @name)
  (module name: (constant) @name)
  (assignment left: (constant) @name)
])
