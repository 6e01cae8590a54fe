"""What the danger queries ask of a node beside tree-sitter's own predicates.

A query asks with `(#built? @node)`; `PREDICATES` maps each name to its function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

# Larger expressions are not looked through to their end.
_MOST_NODES = 2000
_LONGEST_TEXT = 4000

_STRINGS = frozenset(
    """string template_string encapsed_string interpolated_string_expression string_literal heredoc_body
    interpreted_string_literal raw_string_literal concatenated_string chained_string verbatim_string_literal
    raw_string nowdoc heredoc""".split()
)
_INTERPOLATIONS = frozenset({"interpolation", "template_substitution"})
_CONCATENATIONS = frozenset({"binary_operator", "binary_expression", "binary"})
_CHOICES = frozenset({"ternary_expression", "conditional_expression", "conditional"})
_TRANSPARENT = frozenset(
    """parenthesized_expression argument reference_expression keyword_argument as_expression non_null_expression
    await_expression await parenthesized_statements""".split()
)
_CALLS = frozenset(
    """call call_expression method_invocation invocation_expression function_call_expression macro_invocation
    scoped_call_expression member_call_expression""".split()
)
_LITERALS = frozenset(
    """integer float number true false none null nil undefined boolean boolean_literal integer_literal
    decimal_integer_literal decimal_floating_point_literal int_literal float_literal real_literal number_literal
    char_literal rune_literal null_literal string_content string_start string_end string_fragment escape_sequence
    interpolation_start interpolation_brace string_literal_content interpreted_string_literal_content
    raw_string_literal_content format_specifier type_conversion comment line_comment block_comment regex symbol
    simple_symbol constant name escape_interpolation character_literal string_literal_encoding primitive_type
    line_continuation hash_key_symbol regex_pattern interpolation_format_clause
    interpolation_alignment_clause""".split()
)
_CONSTANT_NAME = re.compile(r"(?:[\w.:]*[.:])?_{0,2}[A-Z][A-Z0-9_]+")
_FORMAT_CALL = re.compile(r"(?:^|[.:])(?:format|Format|Sprintf|sprintf|formatted|concat|Concat)!?$")
_QUOTING = re.compile(
    r"(?i)quote|escape|sanitiz|sanitis|purify|shellwords|htmlspecialchars|htmlentities|intval\(|\(int\)|placeholder"
    r"|identifier|printf\(\s*%q|strip_tags|urlencode|encodeuri"
)
_SQL = re.compile(
    r"[\"'`]\s{0,80}(?:select\s|insert\s{1,9}into\s|update\s|delete\s{1,9}from\s|drop\s|alter\s|create\s|replace\s{1,9}"
    r"into\s|merge\s{1,9}into|truncate\s|with\s|exec\s|grant\s|call\s)",
    re.IGNORECASE,
)
_SQL_STATEMENT = re.compile(
    r"(?is)\bselect\b.{1,2000}?\bfrom\b|\bselect\b.{0,400}?[({%$]|\binsert\s+into\b|\bupdate\b.{1,2000}?\bset\b"
    r"|\bdelete\s+from\b|\b(?:drop|alter|create|truncate|grant|exec|call|merge|replace|with)\s"
)
_SQL_CONDITION = re.compile(r"(?i)[=<>]|\blike\b|\bin\s*\(|\b(?:asc|desc)\b|\bjoin\b|\bselect\b|\bcount\(|\bsum\(")
_TRANSLATED = re.compile(r"^(?:_|N_|Q_|gettext|ngettext|dgettext|tr|i18n|T)\s*\(")
_FETCH = re.compile(r"(?:curl|wget)\s")
_SHELL = re.compile(r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+)?(?:/\w+)*/?(?:ba|z|da|k)?sh(?:\s|$)")
_RECURSIVE = re.compile(r"-\w*[rR]")
_BELOW_VARIABLE = re.compile(r"\"?(?:\$\w+|\$\{\w+\})\"?/(?:\*|\"|$)")

Captures = Mapping[str, Sequence["tree_sitter.Node"]]


def text_of(node: tree_sitter.Node) -> str:
    return (node.text or b"")[:_LONGEST_TEXT].decode(errors="replace")


def is_dynamic(node: tree_sitter.Node) -> bool:
    """Whether the value is decided at run time: something in it is neither a literal nor a CONSTANT."""
    return any(_is_variable(part) for part in _parts(node))


def _parts(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The operands of an expression: what stands in strings, concatenations and brackets, not inside of calls."""
    pending, seen = [node], 0
    while pending and seen < _MOST_NODES:
        part = pending.pop()
        seen += 1
        if part.type in _CHOICES:
            pending += _branches(part)
        elif _is_container(part):
            pending += part.named_children
        else:
            yield part


def _branches(choice: tree_sitter.Node) -> list[tree_sitter.Node]:
    """What a conditional expression may come to, without its condition."""
    named = [choice.child_by_field_name(field) for field in ("consequence", "body", "alternative")]
    found = [branch for branch in named if branch is not None]
    return found if len(found) > 1 else [choice.named_children[0], *choice.named_children[2:]]


def _is_container(node: tree_sitter.Node) -> bool:
    kinds = (_STRINGS, _INTERPOLATIONS, _CONCATENATIONS, _TRANSPARENT)
    if any(node.type in kind for kind in kinds):
        return bool(node.named_children)
    return node.type in {"arguments", "argument_list", "token_tree", "array", "list", "tuple", "concatenation"}


def _is_variable(node: tree_sitter.Node) -> bool:
    if node.type in _LITERALS or node.type in _STRINGS or not node.is_named:
        return False
    if node.type in _CALLS and _is_format(node):
        return is_dynamic(_arguments(node)) if _arguments(node) is not node else True
    return _CONSTANT_NAME.fullmatch(text_of(node)) is None


def _arguments(node: tree_sitter.Node) -> tree_sitter.Node:
    found = node.child_by_field_name("arguments")
    return found or next((child for child in node.children if child.type == "token_tree"), node)


def _is_format(node: tree_sitter.Node) -> bool:
    """`"…".format(…)`, `fmt.Sprintf(…)`, `String.format(…)`, `sprintf(…)`, `format!(…)`."""
    if node.type == "macro_invocation":
        return text_of(node).startswith(("format!", "concat!", "std::format!"))
    arguments = _arguments(node)
    head = text_of(node)[: max(0, arguments.start_byte - node.start_byte)]
    return _FORMAT_CALL.search(head.strip()) is not None


def is_built(node: tree_sitter.Node) -> bool:
    """Whether a text is put together at run time: interpolation, concatenation, or a call that formats."""
    node = _unwrapped(node)
    if node.type in _STRINGS:
        return is_dynamic(node)
    if node.type in _CONCATENATIONS:
        return any(part.type in _STRINGS | {"string_content", "string_fragment"} for part in _texts(node)) and (
            is_dynamic(node)
        )
    if node.type in _CALLS and _is_format(node):
        return _has_text_before(node) and is_dynamic(_arguments(node))
    return False


def _has_text_before(node: tree_sitter.Node) -> bool:
    """The format itself is a literal: the receiver, or one of the arguments."""
    return any(mark in text_of(node) for mark in ('"', "'", "`"))


def _unwrapped(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type in _TRANSPARENT and node.named_children:
        node = node.named_children[-1]
    return node


def _texts(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    pending, seen = [node], 0
    while pending and seen < _MOST_NODES:
        part = pending.pop()
        seen += 1
        if part.type in _CONCATENATIONS or part.type in _TRANSPARENT:
            pending += part.named_children
        else:
            yield part


def _is_interpolated(node: tree_sitter.Node) -> bool:
    return _unwrapped(node).type in _STRINGS and is_built(node)


def _is_sql(node: tree_sitter.Node) -> bool:
    text = text_of(node)
    return _SQL.search(text) is not None and _SQL_STATEMENT.search(text) is not None


def _is_macro_built(node: tree_sitter.Node) -> bool:
    """Rust: a `format!` with something to fill in, anywhere in the argument."""
    return re.search(r"\bformat!\s*\(\s*r?#*\"[^\"]*\{", text_of(node)) is not None


def _is_assigned(node: tree_sitter.Node) -> bool:
    """C#: the value of an assignment, an initialiser or an argument; not a comparison."""
    outer = node.parent.parent if node.parent else None
    return outer is not None and outer.type in {"assignment_expression", "argument", "variable_declarator"}


def _pipes_a_download(pipeline: tree_sitter.Node) -> bool:
    """Shell: `curl … | sh`, with `sudo` or `env` before the shell or not."""
    commands = [text_of(child) for child in pipeline.named_children if child.type == "command"]
    fetched = next((number for number, command in enumerate(commands) if _FETCH.match(command)), len(commands))
    return any(map(_SHELL.match, commands[fetched + 1 :]))


def _removes_below_variable(command: tree_sitter.Node) -> bool:
    """Shell: `rm -r "$dir"/*`; an empty variable leaves `/*`."""
    words = [text_of(child) for child in command.named_children[1:]]
    return any(map(_RECURSIVE.match, words)) and any(map(_BELOW_VARIABLE.match, words))


def _is_in_import(node: tree_sitter.Node) -> bool:
    above: tree_sitter.Node | None = node
    while above is not None and above.type != "import_declaration":
        above = above.parent
    return above is not None


def _has_keyword(node: tree_sitter.Node, name: str) -> bool:
    keywords = (child for child in node.named_children if child.type == "keyword_argument")
    return any(text_of(key) == name for child in keywords if (key := child.child_by_field_name("name")))


def _is_fixed_array(name: str, file: str) -> bool:
    """C: the file declares it as an array of characters of a fixed size."""
    pattern = rf"\b(?:char|wchar_t|char8_t|uint8_t|int8_t)\s[^;(){{}}]{{0,200}}?\b{re.escape(name)}\s*\[\s*\w"
    return re.search(pattern, file) is not None


_OF_NODE: dict[str, Callable[[tree_sitter.Node], bool]] = {
    "dynamic?": is_dynamic,
    "built?": is_built,
    "interpolated?": _is_interpolated,
    "macro-built?": _is_macro_built,
    "unquoted?": lambda node: _QUOTING.search(text_of(node)) is None,
    "sql?": _is_sql,
    "condition?": lambda node: _SQL_CONDITION.search(text_of(node)) is not None,
    "untranslated?": lambda node: _TRANSLATED.match(text_of(node)) is None,
    "assigned?": _is_assigned,
    "pipes-a-download?": _pipes_a_download,
    "removes-below-variable?": _removes_below_variable,
    "not-array?": lambda node: node.type != "array_creation_expression",
    "not-in-import?": lambda node: not _is_in_import(node),
}


def predicate_for(file: str) -> Callable[[str, Sequence[tuple[str, str]], int, Captures], bool]:
    """The function that a query cursor calls for predicates of our own, for one file."""

    def holds(name: str, arguments: Sequence[tuple[str, str]], _pattern: int, captures: Captures) -> bool:
        values = [value for value, _ in arguments]
        nodes = captures.get(values[0], ())
        if name in _OF_NODE:
            return all(_OF_NODE[name](node) for node in nodes)
        if name == "file-has?":
            return values[0] in file
        if name == "file-lacks?":
            return values[0] not in file
        if name == "lacks-keyword?":
            return not any(_has_keyword(node, values[1]) for node in nodes)
        if name == "fixed-array?":
            return all(_is_fixed_array(text_of(node), file) for node in nodes)
        raise ValueError(f"a query asks for {name}, which is not known")

    return holds
