"""Split a file into the units that search ranks as symbols: each line belongs to one, or to the module level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse.definitions import is_code, is_type
from bottega.index.analyse.values import NOBODY, Symbol, Unit

# A function inside another one is a unit of its own where the outer one has more lines, as a module pattern has.
_LONG_FUNCTION = 120
# A constant or variable with so many lines is a table, a schema or a configuration block.
_LONG_VALUE = 4
# Units of one file; later ones belong to the module level.
MOST_UNITS = 65_000


def find_units(symbols: Sequence[Symbol], above: Mapping[int, int], lines: int) -> tuple[tuple[Unit, ...], Owners]:
    """The units in the order of their first lines, and the unit of each line.

    `above` maps the first line of a definition to that of the comment over it, which belongs to the definition. The
    module level is the last unit; it holds the lines that belong to no other one.
    """
    chosen = [place for place, symbol in enumerate(symbols) if _is_unit(symbol, symbols)][:MOST_UNITS]
    owners: Owners = np.full(lines, len(chosen), np.int64)
    for number, place in enumerate(chosen):  # inner definitions come later and take their lines from outer ones
        symbol = symbols[place]
        owners[above.get(symbol.first, symbol.first) - 1 : symbol.last] = number
    units = [Unit(symbols[place].first, symbols[place].last, place) for place in chosen]
    return (*units, Unit(1, max(lines, 1), NOBODY)), owners


Owners = NDArray[np.int64]


def _is_unit(symbol: Symbol, symbols: Sequence[Symbol]) -> bool:
    outer = _find_outer_function(symbol, symbols)
    if outer is not None and outer.last - outer.first < _LONG_FUNCTION:
        return False
    if is_code(symbol.kind):
        return True
    if outer is not None:
        return False
    is_block = is_type(symbol.kind) or symbol.kind == "section"
    return is_block or symbol.last - symbol.first + 1 >= _LONG_VALUE


def _find_outer_function(symbol: Symbol, symbols: Sequence[Symbol]) -> Symbol | None:
    """The innermost function around a symbol."""
    parent = symbol.parent
    while parent != NOBODY:
        around = symbols[parent]
        if is_code(around.kind):
            return around
        parent = around.parent
    return None
