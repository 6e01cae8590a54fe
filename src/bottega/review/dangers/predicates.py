"""What the danger queries ask of a node beside tree-sitter's own predicates, such as `(#built? @node)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from bottega.review.dangers.expressions import get_text, is_built, is_dynamic, is_interpolated

if TYPE_CHECKING:
    import tree_sitter

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


def _is_sql(node: tree_sitter.Node) -> bool:
    text = get_text(node)
    return _SQL.search(text) is not None and _SQL_STATEMENT.search(text) is not None


def _is_macro_built(node: tree_sitter.Node) -> bool:
    """Rust: a `format!` with something to fill in, anywhere in the argument."""
    return re.search(r"\bformat!\s*\(\s*r?#*\"[^\"]*\{", get_text(node)) is not None


def _is_assigned(node: tree_sitter.Node) -> bool:
    """C#: the value of an assignment, an initialiser or an argument; not a comparison."""
    outer = node.parent.parent if node.parent else None
    return outer is not None and outer.type in {"assignment_expression", "argument", "variable_declarator"}


def _pipes_a_download(pipeline: tree_sitter.Node) -> bool:
    """Shell: `curl … | sh`, with `sudo` or `env` before the shell or not."""
    commands = [get_text(child) for child in pipeline.named_children if child.type == "command"]
    fetched = next((number for number, command in enumerate(commands) if _FETCH.match(command)), len(commands))
    return any(map(_SHELL.match, commands[fetched + 1 :]))


def _removes_below_variable(command: tree_sitter.Node) -> bool:
    """Shell: `rm -r "$dir"/*`; an empty variable leaves `/*`."""
    words = [get_text(child) for child in command.named_children[1:]]
    return any(map(_RECURSIVE.match, words)) and any(map(_BELOW_VARIABLE.match, words))


def _is_in_import(node: tree_sitter.Node) -> bool:
    above: tree_sitter.Node | None = node
    while above is not None and above.type != "import_declaration":
        above = above.parent
    return above is not None


def _has_keyword(node: tree_sitter.Node, name: str) -> bool:
    keywords = (child for child in node.named_children if child.type == "keyword_argument")
    return any(get_text(key) == name for child in keywords if (key := child.child_by_field_name("name")))


def _is_fixed_array(name: str, file: str) -> bool:
    """C: the file declares it as an array of characters of a fixed size."""
    pattern = rf"\b(?:char|wchar_t|char8_t|uint8_t|int8_t)\s[^;(){{}}]{{0,200}}?\b{re.escape(name)}\s*\[\s*\w"
    return re.search(pattern, file) is not None


_OF_NODE: dict[str, Callable[[tree_sitter.Node], bool]] = {
    "dynamic?": is_dynamic,
    "built?": is_built,
    "interpolated?": is_interpolated,
    "macro-built?": _is_macro_built,
    "unquoted?": lambda node: _QUOTING.search(get_text(node)) is None,
    "sql?": _is_sql,
    "condition?": lambda node: _SQL_CONDITION.search(get_text(node)) is not None,
    "untranslated?": lambda node: _TRANSLATED.match(get_text(node)) is None,
    "assigned?": _is_assigned,
    "pipes-a-download?": _pipes_a_download,
    "removes-below-variable?": _removes_below_variable,
    "not-array?": lambda node: node.type != "array_creation_expression",
    "not-in-import?": lambda node: not _is_in_import(node),
}


class Predicates:
    """The predicates of our own for one file, as a query cursor calls them.

    An exception must not leave the callback: the cursor does not handle it, and the interpreter may crash. The first
    one is kept, nothing matches any more, and `raise_error` raises it once the cursor is done.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._error: Exception | None = None

    def __call__(self, name: str, arguments: Sequence[tuple[str, str]], _pattern: int, captures: Captures) -> bool:
        if self._error is not None:
            return False
        try:
            return self._is_true(name, [value for value, _ in arguments], captures)
        except Exception as error:  # noqa: BLE001 - raised again by `raise_error`
            self._error = error
            return False

    def raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _is_true(self, name: str, values: Sequence[str], captures: Captures) -> bool:
        nodes = captures.get(values[0], ())
        if name in _OF_NODE:
            return all(_OF_NODE[name](node) for node in nodes)
        if name == "file-has?":
            return values[0] in self._file
        if name == "file-lacks?":
            return values[0] not in self._file
        if name == "lacks-keyword?":
            return not any(_has_keyword(node, values[1]) for node in nodes)
        if name == "fixed-array?":
            return all(_is_fixed_array(get_text(node), self._file) for node in nodes)
        raise ValueError(f"a query asks for {name}, which is not known")
