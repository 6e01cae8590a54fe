; Only in grammars that know JSX.

(jsx_attribute
  (property_identifier) @js-html
  (jsx_expression (object (pair key: (_) @_key value: (_) @_html)))
  (#eq? @js-html "dangerouslySetInnerHTML")
  (#match? @_key "__html")
  (#dynamic? @_html)
  (#unquoted? @_html))
