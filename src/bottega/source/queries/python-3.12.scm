; Grammar that Python 3.11 does not have.
(type_alias_statement) @newer
(function_definition type_parameters: (_)) @newer
(class_definition type_parameters: (_)) @newer
