"""The names a file defines, as terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bottega.index.analyse.outline import TYPES
from bottega.index.analyse.values import Symbol
from bottega.source.words import term

_TYPE_WEIGHT, _CODE_WEIGHT, _VALUE_WEIGHT = 3, 2, 1
_CODE = frozenset({"function", "method", "macro", "procedure", "constructor"})
_KINDS_OF_TYPES = TYPES | {"type", "table", "view", "module"}


def defined_names(weights: Mapping[str, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Terms of exact names, and of names without case and `_`, each with the weight of its definition."""
    loose: dict[int, int] = {}
    for name, weight in weights.items():
        number = loose_term(name)
        loose[number] = max(weight, loose.get(number, 0))
    return {exact_term(name): weight for name, weight in weights.items()}, loose


def definition_weights(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Names defined in a file: a type weighs 3, a function 2, anything else 1."""
    weights: dict[str, int] = {}
    for symbol in symbols:
        weights[symbol.name] = max(kind_weight(symbol.kind), weights.get(symbol.name, 0))
    return weights


def kind_weight(kind: str) -> int:
    if is_type(kind):
        return _TYPE_WEIGHT
    return _CODE_WEIGHT if is_code(kind) else _VALUE_WEIGHT


def is_type(kind: str) -> bool:
    return kind in _KINDS_OF_TYPES


def is_code(kind: str) -> bool:
    return kind in _CODE


def exact_term(name: str) -> int:
    return term("!" + name)


def loose_term(name: str) -> int:
    """The name without case and `_`."""
    return term("~" + name.replace("_", "").lower())
