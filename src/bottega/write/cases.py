"""Cases that Python code can be tried on: those a request gives, and those a model makes up."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

_ARROWS = r"==?>|===?|-+>|➞|→|⇒|returns|return|should return|should be|gives|evaluates to|is equal to|="
_INLINE = re.compile(rf"([A-Za-z_]\w*\(.*\))\s*(?:#\s*)?(?:{_ARROWS})\s*(\S.*)$")
_CLOSING = re.compile(r"^\s*(?:\"\"\"|''').*\Z", re.M | re.S)
_SPOKEN = {"true": "True", "false": "False", "none": "None", "null": "None"}
_DEFINED = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)", re.M)
_MOST = 12


@dataclass(frozen=True, slots=True)
class Case:
    """`call` is an expression; `want` the expression it must equal, or "" when it must be true."""

    call: str
    want: str = ""

    def __str__(self) -> str:
        return f"{self.call} == {self.want}" if self.want else self.call


def cases_in(request: str) -> list[Case]:
    """The examples a request gives: doctest sessions, and lines such as `f(2) == 4` or `f(2) -> 4`."""
    asked_for = set(_DEFINED.findall(request))
    found = [case for case in [*_sessions(request), *_inline(request)] if _is_about(case, asked_for)]
    return list(dict.fromkeys(found))[:_MOST]


def cases_of_asserts(code: str) -> list[Case]:
    """The cases of `assert` statements, whatever else stands around them."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError):
        return []
    asserts = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Assert)]
    return list(dict.fromkeys(_case(node.test) for node in asserts))[:_MOST]


def _case(test: ast.expr) -> Case:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return Case(ast.unparse(test.left), ast.unparse(test.comparators[0]))
    return Case(ast.unparse(test))


def _sessions(request: str) -> Iterator[Case]:
    try:
        examples = doctest.DocTestParser().get_examples(request)
    except ValueError:
        return
    for example in examples:
        source = example.source.strip()
        if not _is_expression(source) or not _is_self_contained(source):
            continue
        shown = _CLOSING.sub("", example.want).strip()
        want = _literal(shown)
        claim = ast.parse(source, mode="eval").body
        if want is not None:
            yield Case(source, want)
        elif not shown and isinstance(claim, ast.Compare):
            yield _case(claim)


def _inline(request: str) -> Iterator[Case]:
    for line in request.splitlines():
        found = _INLINE.search(line)
        if found and not line.lstrip().startswith((">>>", "def ", "class ")):
            want = _literal(found.group(2).strip())
            call = _last_call(found.group(1))
            if want is not None and call and _is_self_contained(call):
                yield Case(call, want)


def _last_call(text: str) -> str:
    """`for example f(1)` holds the call f(1): the longest tail that is a call."""
    for start in re.finditer(r"[A-Za-z_]\w*\(", text):
        tail = text[start.start() :]
        try:
            node = ast.parse(tail, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            continue
        if isinstance(node, ast.Call):
            return tail
    return ""


def _literal(text: str) -> str | None:
    """A Python literal at the start of a text that ends there or in punctuation or a remark."""
    remarkless = re.split(r"\s{2,}#|\s+#|\s+\(", text)[0].rstrip(".,; ")
    result = remarkless.rpartition(" = ")[2]
    for candidate in (text, text.rstrip(".,; "), remarkless, result):
        spoken = _SPOKEN.get(candidate.lower(), candidate)
        try:
            ast.literal_eval(spoken)
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            continue
        return spoken
    return None


def _is_about(case: Case, asked_for: set[str]) -> bool:
    """Whether a case calls what is to be written: what the request defines if it does, else anything not built in."""
    calls = [node.func for node in ast.walk(ast.parse(case.call, mode="eval")) if isinstance(node, ast.Call)]
    names = {node.id for node in calls if isinstance(node, ast.Name)}
    return bool(names & asked_for) if asked_for else any(not hasattr(builtins, name) for name in names)


def _is_self_contained(call: str) -> bool:
    """Whether nothing but the function itself has to be known: `f(a)` is a way of speaking, `f(1)` an example."""
    tree = ast.parse(call.strip(), mode="eval")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called]
    return all(hasattr(builtins, node.id) for node in names)


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
