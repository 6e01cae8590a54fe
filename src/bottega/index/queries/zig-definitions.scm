; A function that returns a type is that type, with parameters: `fn List(comptime T: type) type { return struct {…}; }`
((Decl (FnProto function: (IDENTIFIER) @name (_) @_returns .) . (Block) @body) @definition.struct
  (#eq? @_returns "type"))
((Decl (FnProto function: (IDENTIFIER) @name (_) @_returns .) . (Block) @body) @definition.function
  (#not-eq? @_returns "type"))
; `extern fn`
(Decl . (FnProto function: (IDENTIFIER) @name) .) @definition.function
(TestDecl (STRINGLITERALSINGLE) @name (Block) @body) @definition.function

; A type is a constant that holds one; at any depth.
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType . ["struct" "union" "opaque"]))))) @definition.struct
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType . "enum"))))) @definition.enum
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl)))) @definition.enum
(VarDecl variable_type_function: (IDENTIFIER) @name
  (BinaryExpr left: (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl))))) @definition.enum
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.constant)
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
; Members without a type; in a struct they would be the types of a tuple.
(ContainerDecl (ContainerDeclType ["enum" "union"])
  (ContainerField . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.constant)

; Other constants and variables of a file or of a type, but for what is imported and for `const Self = @This()`.
([(source_file (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name) @definition.constant))
  (ContainerDecl (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name) @definition.constant))]
  (#not-match? @definition.constant
    "^const\\s[^=]*=\\s*(?:(?:(?:packed|extern)\\s+)?(?:struct|enum|union|opaque|error\\s*\\{)|@import\\b|@This\\b)"))
(source_file (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name) @definition.variable))
(ContainerDecl (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name) @definition.variable))
