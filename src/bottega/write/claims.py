"""Split a case into expressions for the sandbox and a comparison of their values in this process."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bottega.write.cases import Case
from bottega.write.expressions import NO_LITERAL, parse_expression
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
    """`round`, refusing as many places as would keep this process busy: it runs outside of the sandbox."""
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


@dataclass(frozen=True, slots=True)
class Claim:
    """`expressions` are evaluated in the sandbox; `judge` says what is wrong with their values, "" when nothing is."""

    case: Case
    expressions: tuple[str, ...]
    judge: Callable[[Sequence[Any]], str]


def build_claim(case: Case) -> Claim | None:
    """`None` for a case that only the code under test could decide, such as `f(1) == f(2)`."""
    if case.want:
        try:
            want = ast.literal_eval(case.want)
        except NO_LITERAL:
            return _build_predicate(case)
        return Claim(case, (case.call,), lambda values: _describe_difference(case, values[0], want))
    return _build_predicate(case)


def _describe_difference(case: Case, got: Any, want: Any) -> str:
    if is_same(got, want):
        return ""
    return f"{case.call} returned {show_value(got)}, but {show_value(want)} is expected"


def _build_predicate(case: Case) -> Claim | None:
    tree = parse_expression(str(case))
    holes: list[str] = []
    evaluate = _compile(tree, holes) if tree is not None else None
    if evaluate is None or not holes:
        return None

    def judge(values: Sequence[Any]) -> str:
        try:
            holds = bool(evaluate(values))
        except (TypeError, ValueError, OverflowError):  # the code returned a value that cannot be compared so
            holds = False
        return "" if holds else f"{case} does not hold: {', '.join(map(_describe_value, holes, values))}"

    return Claim(case, tuple(holes), judge)


def _describe_value(expression: str, value: Any) -> str:
    return f"{expression} returned {show_value(value)}"


_Evaluation = Callable[[Sequence[Any]], Any]


def _compile(node: ast.expr, holes: list[str]) -> _Evaluation | None:
    """A function from values to the truth of the claim; subtrees with unknown names become holes for the sandbox.

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
            return (lambda values: joined(inner(values) for inner in known)) if len(known) == len(inners) else None
        case ast.Compare():
            return _compile_comparison(node, holes)
    return _compile_operand(node, holes)


def _compile_comparison(node: ast.Compare, holes: list[str]) -> _Evaluation | None:
    if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
        return None
    compare, sides = _COMPARISONS[type(node.ops[0])], (node.left, node.comparators[0])
    if not any(_is_literal(side) for side in sides):
        return None
    left, right = (_compile_operand(side, holes) for side in sides)
    return lambda values: compare(left(values), right(values))


def _compile_operand(node: ast.expr, holes: list[str]) -> _Evaluation:
    if _is_literal(node):
        literal = ast.literal_eval(node)
        return lambda _values: literal
    match node:
        case ast.Name(id=name) if name in _TYPES:
            return lambda _values: _TYPES[name]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            inners = [_compile_operand(argument, holes) for argument in arguments]
            return lambda values: _FUNCTIONS[name](*(inner(values) for inner in inners))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            first, second = _compile_operand(left, holes), _compile_operand(right, holes)
            return lambda values: _ARITHMETIC[type(op)](first(values), second(values))
    holes.append(ast.unparse(node))
    place = len(holes) - 1
    return lambda values: values[place]


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except NO_LITERAL:
        return False
    return True
