"""Values that the code under test returned: decoded without running anything, compared outside of the sandbox."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TOLERANCE = 1e-6
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that is no plain data; it equals nothing that a request can show."""

    kind: str
    shown: str

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return hash(self.shown)

    def __repr__(self) -> str:
        return self.shown


def decode_value(tree: Any) -> Any:
    """The value of a tagged tree. Raise `ValueError` for anything that the probe does not write."""
    match tree:
        case ["constant", (None | True | False) as value]:
            return value
        case ["int" | "float" | "str" | "bytes" as kind, str(text)]:
            return _SCALARS[kind](text)
        case ["list" | "tuple" | "set" | "frozenset" as kind, list(items)]:
            return _collect(_COLLECTIONS[kind], [decode_value(item) for item in items])
        case ["dict", list(pairs)] if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return _collect(dict, [(decode_value(key), decode_value(value)) for key, value in pairs])
        case ["object", str(kind), str(shown)]:
            return Opaque(kind[:_LONGEST], shown[:_LONGEST])
    raise ValueError("no value that the probe writes")


_SCALARS: dict[str, Callable[[str], Any]] = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "str": str,
    "bytes": bytes.fromhex,
}
_COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


def _collect(make: Callable[[list[Any]], Any], items: list[Any]) -> Any:
    try:
        return make(items)
    except TypeError as error:
        raise ValueError("a set or a dictionary of what cannot be in one") from error


def is_same(got: Any, want: Any) -> bool:
    """Equal as Python means it, with a tolerance for floating point at any depth of lists, tuples and dictionaries."""
    if isinstance(got, int | float) and isinstance(want, int | float):
        return _is_close(got, want)
    if type(got) is type(want) and isinstance(got, list | tuple):
        return len(got) == len(want) and all(is_same(a, b) for a, b in zip(got, want, strict=True))
    if isinstance(got, dict) and isinstance(want, dict):
        return got.keys() == want.keys() and all(is_same(got[key], want[key]) for key in want)
    return bool(got == want)


def _is_close(got: float, want: float) -> bool:
    if isinstance(got, int) and isinstance(want, int):
        return got == want
    try:
        difference, size = abs(float(got) - float(want)), max(1.0, abs(got), abs(want))
    except OverflowError:  # an integer beyond every float
        return False
    return got == want or (math.isfinite(size) and difference <= _TOLERANCE * size)


def show_value(value: Any) -> str:
    """How a value prints, cut; integers have no limit of length of their own, and printing them has."""
    try:
        text = repr(value)
    except ValueError:
        return "an integer with thousands of digits"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
