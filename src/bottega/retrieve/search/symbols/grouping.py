"""Choose which symbols of each file are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bottega.retrieve.search.symbols.ranking import RankedSymbol

_MOST_OF_A_FILE = 3
# A further symbol of a file is shown where its score is so near to that of the first.
_NEAR = 0.75


def group_by_file(ranked: Sequence[RankedSymbol], files: Sequence[int]) -> list[RankedSymbol]:
    """The best symbol of each file in the order of the files, with at most two more.

    These score nearly the same, or contain the whole query.
    """
    by_file: dict[int, list[RankedSymbol]] = defaultdict(list)
    for symbol in ranked:
        shown = by_file[symbol.file]
        if not shown or (
            len(shown) < _MOST_OF_A_FILE
            and (symbol.line or symbol.score >= shown[0].score - _NEAR)
            and not any(_overlap(symbol, other) for other in shown)
        ):
            shown.append(symbol)
    return [symbol for file in files for symbol in by_file[file]]


def _overlap(symbol: RankedSymbol, other: RankedSymbol) -> bool:
    (first, last), (other_first, other_last) = _find_shown(symbol), _find_shown(other)
    return first <= other_last and other_first <= last


def _find_shown(symbol: RankedSymbol) -> tuple[int, int]:
    """Of the module level, which is around everything, only the line that contains the query is shown."""
    if symbol.symbol is None and symbol.line:
        return symbol.line, symbol.line
    return symbol.first, symbol.last
