"""Choose which symbols of each file are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bottega.retrieve.search.symbols.ranking import RankedSymbol

_MOST_OF_A_FILE = 3
# A further symbol of a file is shown where its score is so near to that of the first.
_NEAR = 0.75


def group_by_file(ranked: Sequence[RankedSymbol], files: Sequence[int]) -> list[RankedSymbol]:
    """The best symbol of each file in the order of the files, with at most two more that score nearly the same."""
    by_file: dict[int, list[RankedSymbol]] = defaultdict(list)
    for symbol in ranked:
        shown = by_file[symbol.file]
        if not shown or (
            len(shown) < _MOST_OF_A_FILE
            and symbol.score >= shown[0].score - _NEAR
            and not any(_overlap(symbol, other) for other in shown)
        ):
            shown.append(symbol)
    return [symbol for file in files for symbol in by_file[file]]


def _overlap(symbol: RankedSymbol, other: RankedSymbol) -> bool:
    return symbol.first <= other.last and other.first <= symbol.last
