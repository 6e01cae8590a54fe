"""Cases taken apart: what the code under test has to evaluate, and what this side makes of the values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bottega.write.cases import Case
from bottega.write.values import is_same, show_value

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: is_same,
    ast.NotEq: lambda a, b: not is_same(a, b),
    ast.Is: is_same,
    ast.IsNot: lambda a, b: not is_same(a, b),
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: any(is_same(a, item) for item in b),
    ast.NotIn: lambda a, b: not any(is_same(a, item) for item in b),
}
_MOST_DIGITS = 300
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {ast.Add: operator.add, ast.Sub: operator.sub}
_TYPES = {kind.__name__: kind for kind in (int, float, str, bytes, bool, list, tuple, set, frozenset, dict)}


def _round(number: Any, digits: int = 0) -> Any:
    """Rounding to a billion places would keep this process busy, not the sandbox."""
    if abs(digits) > _MOST_DIGITS:
        raise ValueError("rounded to too many places")
    return round(number, digits) if digits else round(number)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "isinstance": isinstance,
    "len": len,
    "list": list,
    "round": _round,
    "set": set,
    "sorted": sorted,
    "sum": sum,
    "tuple": tuple,
}
_LITERALS = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)


@dataclass(frozen=True, slots=True)
class Claim:
    """`expressions` go into the sandbox; `judge` says of their values what is wrong, "" when nothing is."""

    case: Case
    expressions: tuple[str, ...]
    judge: Callable[[Sequence[Any]], str]


def claim_of(case: Case) -> Claim | None:
    """`None` for a case that only the code under test could decide, such as `f(1) == f(2)`."""
    if case.want:
        try:
            want = ast.literal_eval(case.want)
        except _LITERALS:
            return _predicate(case)
        return Claim(case, (case.call,), lambda values: _difference(case, values[0], want))
    return _predicate(case)


def _difference(case: Case, got: Any, want: Any) -> str:
    if is_same(got, want):
        return ""
    return f"{case.call} returned {show_value(got)}, but {show_value(want)} is expected"


def _predicate(case: Case) -> Claim | None:
    try:
        tree = ast.parse(str(case), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    holes: list[str] = []
    evaluate = _compile(tree, holes)
    if evaluate is None or not holes:
        return None

    def judge(values: Sequence[Any]) -> str:
        try:
            holds = bool(evaluate(values))
        except (TypeError, ValueError, OverflowError):
            holds = False
        return "" if holds else f"{case} does not hold: {', '.join(map(_shown, holes, values))}"

    return Claim(case, tuple(holes), judge)


def _shown(expression: str, value: Any) -> str:
    return f"{expression} returned {show_value(value)}"


_Evaluation = Callable[[Sequence[Any]], Any]


def _compile(node: ast.expr, holes: list[str]) -> _Evaluation | None:
    """What to make of the values; subtrees that this side does not know become holes, which the sandbox fills.

    `None` where the verdict would rest on the code under test alone.
    """
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _compile(operand, holes)
            return None if inner is None else lambda values: not inner(values)
        case ast.BoolOp(op=op, values=parts):
            inners = [_compile(part, holes) for part in parts]
            known = [inner for inner in inners if inner is not None]
            joined = all if isinstance(op, ast.And) else any
            return (lambda values: joined(one(values) for one in known)) if len(known) == len(inners) else None
        case ast.Compare():
            return _comparison(node, holes)
    return _operand(node, holes)


def _comparison(node: ast.Compare, holes: list[str]) -> _Evaluation | None:
    if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
        return None
    compare, sides = _COMPARISONS[type(node.ops[0])], (node.left, node.comparators[0])
    if not any(_is_literal(side) for side in sides):
        return None
    left, right = (_operand(side, holes) for side in sides)
    return lambda values: compare(left(values), right(values))


def _operand(node: ast.expr, holes: list[str]) -> _Evaluation:
    if _is_literal(node):
        literal = ast.literal_eval(node)
        return lambda _values: literal
    match node:
        case ast.Name(id=name) if name in _TYPES:
            return lambda _values: _TYPES[name]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            inners = [_operand(argument, holes) for argument in arguments]
            return lambda values: _FUNCTIONS[name](*(inner(values) for inner in inners))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            one, other = _operand(left, holes), _operand(right, holes)
            return lambda values: _ARITHMETIC[type(op)](one(values), other(values))
    holes.append(ast.unparse(node))
    place = len(holes) - 1
    return lambda values: values[place]


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except _LITERALS:
        return False
    return True
