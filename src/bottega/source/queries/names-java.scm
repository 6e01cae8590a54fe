; Functions live in types here, so the methods of top-level types count, unless they are private.
(program (_ name: (identifier) @name))
(program (_ body: (_ (method_declaration name: (identifier) @name))))
(program (_ body: (enum_body (enum_body_declarations (method_declaration name: (identifier) @name)))))

(program (_ body: (_ (method_declaration (modifiers) @modifiers name: (identifier) @private)))
  (#match? @modifiers "\\bprivate\\b"))
