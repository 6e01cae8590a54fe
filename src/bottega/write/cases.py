"""Cases that Python code can be tried on: those a request gives, and those a model makes up."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

_ARROWS = r"==|=>|->|➞|→|⇒|returns|should return|should be|gives|evaluates to|is equal to"
_INLINE = re.compile(rf"([A-Za-z_]\w*\(.*\))\s*(?:{_ARROWS})\s*(\S.*)$")
_CLOSING = re.compile(r"^\s*(?:\"\"\"|''').*\Z", re.M | re.S)
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
    found = [*_sessions(request), *_inline(request)]
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
        want = _literal(_CLOSING.sub("", example.want).strip())
        if want is not None and _is_expression(example.source):
            yield Case(example.source.strip(), want)


def _inline(request: str) -> Iterator[Case]:
    for line in request.splitlines():
        found = _INLINE.search(line)
        if found and not line.lstrip().startswith((">>>", "def ", "class ")):
            want = _literal(found.group(2).strip())
            call = _last_call(found.group(1))
            if want is not None and call:
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
    for candidate in (text, text.rstrip(".,;"), re.split(r"\s{2,}#|\s+#|\s+\(", text)[0].rstrip(".,;")):
        try:
            ast.literal_eval(candidate)
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            continue
        return candidate
    return None


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
