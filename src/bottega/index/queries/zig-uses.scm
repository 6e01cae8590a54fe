(SuffixExpr variable_type_function: (IDENTIFIER) @call . (FnCallArguments))
(FieldOrFnCall function_call: (IDENTIFIER) @call)
; `Point{ .x = 1 }`
(_ (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @call .)) . (InitList))
(_ (ErrorUnionExpr (SuffixExpr (FieldOrFnCall field_access: (IDENTIFIER) @call) .)) . (InitList))

(ParamType (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @type .)))
(ParamType (ErrorUnionExpr (SuffixExpr (FieldOrFnCall field_access: (IDENTIFIER) @type) .)))
(FnProto (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @type .)))
(FnProto (ErrorUnionExpr (SuffixExpr (FieldOrFnCall field_access: (IDENTIFIER) @type) .)))
(FnProto (ErrorUnionExpr (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @type .))))
(FnProto (ErrorUnionExpr (ErrorUnionExpr (SuffixExpr (FieldOrFnCall field_access: (IDENTIFIER) @type) .))))
(ContainerField field_member: (_) (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @type .)))
(ContainerField field_member: (_) (ErrorUnionExpr (SuffixExpr (FieldOrFnCall field_access: (IDENTIFIER) @type) .)))

; `const a = @import("a.zig");`, `const B = @import("a.zig").B;`, and imports that nobody names.
(VarDecl (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import)) (#eq? @_import "@import")) @import
(Decl (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import)) (#eq? @_import "@import")) @import
(AssignExpr (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import) (#eq? @_import "@import"))) @import
(FnCallArguments (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import) (#eq? @_import "@import")) @import)

[(line_comment) (doc_comment) (container_doc_comment)] @comment

; Values: functions and types that are mentioned without a call.
(FieldOrFnCall field_access: (IDENTIFIER) @value)
