"""The public names and signatures of source code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from bottega.source.grammar import parse_source
from bottega.source.languages import Language
from bottega.source.python import parse_python
from bottega.source.queries import find_captures

_QUERIES = {
    "JavaScript": "names-javascript",
    "TypeScript": "names-typescript",
    "Go": "names-go",
    "Rust": "names-rust",
    "Java": "names-java",
    "C#": "names-csharp",
    "C": "names-c",
    "C++": "names-cpp",
    "Ruby": "names-ruby",
    "PHP": "names-php",
}
# CONSTANTS and Types; a lower-case variable at module level is mostly a variable of a script.
_CONSTANT = re.compile(r"[A-Z]\w*|__\w+__")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_defined_names(code: str, language: Language) -> frozenset[str] | None:
    """Name the top-level functions, types and constants a caller could use.

    `None` when that is not known: the source does not parse cleanly, or the language has no query. In Java
    and C#, where functions live in types, their methods count too. In Python a name with a leading
    underscore does not count, and a lower-case variable counts when it holds a lambda or is in `__all__`.
    """
    if language.name == "Python":
        tree = parse_python(code)
        return None if tree is None else frozenset(_list_python_names(tree))
    query_name = _QUERIES.get(language.name)
    parsed = None if query_name is None else parse_source(code, language)
    if query_name is None or parsed is None or not parsed.is_clean:
        return None
    names, private = (find_captures(parsed.root, language.grammar, query_name, kind) for kind in ("name", "private"))
    hidden = {node.start_byte for node in private}
    return frozenset((node.text or b"").decode(errors="replace") for node in names if node.start_byte not in hidden)


def find_signatures(code: str, language: Language) -> Mapping[str, str] | None:
    """Map each public Python function, and `Class.method`, to its arguments without annotations.

    Two spellings of one signature compare equal. `None` for other languages and for source that does not
    parse here.
    """
    tree = parse_python(code) if language.name == "Python" else None
    if tree is None:
        return None
    try:
        return {name: _render_arguments(function) for name, function in _list_functions(tree)}
    except RecursionError:  # a default value nested more deeply than `ast.unparse` follows
        return None


def _list_python_names(tree: ast.Module) -> Iterator[str]:
    for statement in _walk_top_level(tree.body):
        if isinstance(statement, _Function | ast.ClassDef):
            yield from (statement.name,) if _is_public(statement.name) else ()
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from _list_assigned(statement)


def _walk_top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield what importing the module runs, inside `if` and `try` too, but not below `__main__`."""
    waiting = list(body)  # not recursive: a long chain of `elif` is as deep as it is long
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.If) and _is_main_check(statement.test):
            continue
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for branch in (statement, *getattr(statement, "handlers", [])):
                waiting += [*branch.body, *getattr(branch, "orelse", []), *getattr(branch, "finalbody", [])]


def _is_main_check(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _list_assigned(statement: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    holds_function = isinstance(statement.value, ast.Lambda)
    yield from (name for name in names if _is_public(name) and (holds_function or _CONSTANT.fullmatch(name)))
    if "__all__" in names and isinstance(statement.value, ast.List | ast.Tuple):
        items = (item.value for item in statement.value.elts if isinstance(item, ast.Constant))
        yield from (item for item in items if isinstance(item, str))


def _list_functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for statement in _walk_top_level(tree.body):
        if isinstance(statement, _Function) and _is_public(statement.name):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef) and _is_public(statement.name):
            methods = (node for node in _walk_top_level(statement.body) if isinstance(node, _Function))
            yield from ((f"{statement.name}.{node.name}", node) for node in methods if _is_public(node.name))


def _render_arguments(function: _Function) -> str:
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    return f"({ast.unparse(function.args)})"


def _is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))
