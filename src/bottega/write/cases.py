"""Test cases for Python code: those that a request gives, and those that a model makes up."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.write.expressions import NO_LITERAL, is_shallow, parse_expression, parse_statements

_ARROWS = (
    r"==?>|===?|-+>|➞|→|⇒|(?:should |would |must |will |shall )?(?:returns?|be|equals?|give|yield|evaluate to)\b"
    r"|gives(?: back)?\b|yields\b|produces\b|outputs\b|evaluates to\b|results in\b|is equal to\b|is\b|="
)
_ARROW = re.compile(rf"[`*]*\s*(?:#\s*)?(?:{_ARROWS})[:\s`*]*")
_CALLED = re.compile(r"(?<![\w.])[A-Za-z_]\w*\(")
_INPUT = re.compile(
    r"\b(?:inputs?|given|for)\b:?\s+(?:an?\s+|the\s+)?(?:input\s+|list\s+|string\s+|number\s+)?(\S.{0,200}?)(?:\s*+,\s*+|\s++)"
    r"(?:(?:it|should|the function|the result|expect|you get)\s+)*"
    r"(?:gives?|returns?|outputs?:?|yields?|produces?|results? in|is|->|→|=>)\s+(\S.*)$",
    re.I,
)
_ENDS = re.compile(r"(?=[.,;)`](?:\s|$)|\s+(?:and|or|but|if|when|while|because|since|as|for|not)\b|\s+[(#–—-]|\s*$)")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_LONGEST_LINE = 2_000
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


def find_cases(request: str, code: str = "") -> list[Case]:
    """The examples that a request gives: doctest sessions, and lines such as `f(2) == 4` or "f(2) returns 4".

    An example that names no function ("for input 2 it gives 4") is one of the only function that `code` defines.
    """
    asked_for = set(_DEFINED.findall(request))
    found = [*_read_sessions(request), *_read_lines(request), *_read_inputs(request, _find_only_function(code))]
    return list(dict.fromkeys(case for case in found if _is_about(case, asked_for)))[:_MOST]


def find_assert_cases(code: str) -> list[Case]:
    """The cases of the `assert` statements in some code."""
    nodes = (node for statement in parse_statements(code) for node in ast.walk(statement))
    tests = [node.test for node in nodes if isinstance(node, ast.Assert) and is_shallow(node.test)]
    return list(dict.fromkeys(map(_build_case, tests)))[:_MOST]


def _build_case(test: ast.expr) -> Case:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return Case(ast.unparse(test.left), ast.unparse(test.comparators[0]))
    return Case(ast.unparse(test))


def _read_sessions(request: str) -> Iterator[Case]:
    try:
        examples = doctest.DocTestParser().get_examples(request)
    except ValueError:
        return
    for example in examples:
        source = example.source.strip()
        claim = parse_expression(source)
        if claim is None or not _is_self_contained(claim):
            continue
        shown = _CLOSING.sub("", example.want).strip()
        want = _parse_literal(shown)
        if isinstance(claim, ast.Call) and isinstance(claim.func, ast.Name) and claim.func.id == "print":
            if len(claim.args) == 1 and not claim.keywords and shown:  # it prints the text of the value
                yield Case(f"str({ast.unparse(claim.args[0])})", repr(shown))
        elif want is not None:
            yield Case(source, want)
        elif not shown and isinstance(claim, ast.Compare):
            yield _build_case(claim)


def _read_lines(request: str) -> Iterator[Case]:
    for line in request.splitlines():
        if line.lstrip().startswith((">>>", "def ", "class ")) or len(line) > _LONGEST_LINE:
            continue
        for start in _CALLED.finditer(line):
            end = _find_closing_bracket(line, start.end() - 1)
            arrow = _ARROW.match(line, end) if end else None
            want = _find_literal(line[arrow.end() :]) if arrow else None
            call = line[start.start() : end]
            expression = parse_expression(call) if want is not None else None
            if want is not None and expression is not None and _is_self_contained(expression):
                yield Case(call, want)


def _read_inputs(request: str, function: str) -> Iterator[Case]:
    for line in request.splitlines() if function else ():
        found = _INPUT.search(line) if len(line) <= _LONGEST_LINE else None
        if found is None:
            continue
        argument, want = found.group(1).strip("`"), _find_literal(found.group(2))
        if want is not None and isinstance(_parse_value(argument), str | int | float | list | dict):
            yield Case(f"{function}({argument})", want)


def _find_only_function(code: str) -> str:
    """The function that `code` defines at its top level, "" when there is none or more than one that is public."""
    body = parse_statements(code)
    names = [node.name for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    return names[0] if len(names) == 1 else ""


def _find_closing_bracket(text: str, start: int) -> int:
    """The offset after the bracket that closes the one at `start`, 0 when none does."""
    open_brackets, quote, at = [], "", start
    while at < len(text):
        character = text[at]
        if quote:
            at += character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _PAIRS:
            open_brackets.append(_PAIRS[character])
        elif character in _PAIRS.values():
            if not open_brackets or open_brackets.pop() != character:
                return 0
            if not open_brackets:
                return at + 1
        at += 1
    return 0


def _find_literal(text: str) -> str | None:
    """The literal that a text is, or else that it begins with, before punctuation or a conjunction."""
    whole = _parse_literal(text.strip())
    if whole is not None:
        return whole
    for end in _ENDS.finditer(text):
        found = _parse_literal(text[: end.start()].strip())
        if found is not None:
            return found
    return None


def _parse_value(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except NO_LITERAL:
        return None


def _parse_literal(text: str) -> str | None:
    """A Python literal at the start of a text that ends there or in punctuation or a remark."""
    remarkless = re.split(r"\s{2,}#|\s+#|\s+\(", text)[0].rstrip(".,; ")
    result = remarkless.rpartition(" = ")[2]
    for candidate in (text.rstrip(".,; "), text, remarkless, result):
        spoken = _SPOKEN.get(candidate.lower(), candidate)
        try:
            ast.literal_eval(spoken)
        except NO_LITERAL:
            continue
        return spoken
    return None


def _is_about(case: Case, asked_for: set[str]) -> bool:
    """Whether a case calls what is to be written: what the request defines if it does, else anything not built in."""
    expression = parse_expression(case.call)
    nodes = ast.walk(expression) if expression is not None else ()
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = {node.id for node in calls if isinstance(node, ast.Name)}
    return bool(names & asked_for) if asked_for else any(not hasattr(builtins, name) for name in names)


def _is_self_contained(call: ast.expr) -> bool:
    """Whether nothing but the function itself has to be known: `f(1)` is an example, `f(a)` is not."""
    called = {id(node.func) for node in ast.walk(call) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(call) if isinstance(node, ast.Name) and id(node) not in called]
    return all(hasattr(builtins, node.id) for node in names)
