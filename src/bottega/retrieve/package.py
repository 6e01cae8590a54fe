"""What a model may read: pieces of the repository, most valuable first, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bottega.index.words import identifiers, terms_of
from bottega.source import Span

# Every piece is first shown by its best lines, so that many places fit; then the first ones by more of theirs.
_SHARE_OF_FIRST_LOOK = 0.75
_SLIM, _LEAST_SLIM, _SLIM_PARTS = 160, 60, 24


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of a file as they were read. `node` is its key in the graph, `origin` how it was come by.

    `about` is what a model said the file is for, where one did.
    """

    path: str
    first: int
    last: int
    text: str
    symbol: str = ""
    kind: str = ""
    node: str = ""
    signature: str = ""
    origin: str = "search"
    about: str = ""

    @property
    def span(self) -> Span:
        return Span(self.path, self.first, self.last)


def pack(pieces: Sequence[Piece], question: str, tokens: int, cost: Callable[[Piece], int]) -> list[Piece]:
    """As many pieces as fit, in their order, each cut to its most telling lines; the first ones shown in full."""
    wanted = question_terms(question)
    slim = max(_LEAST_SLIM, min(_SLIM, tokens // _SLIM_PARTS))
    chosen: list[Piece] = []
    spent = 0
    for piece in pieces:
        short = narrowed(piece, wanted, slim, cost)
        if spent + cost(short) > tokens * _SHARE_OF_FIRST_LOOK:
            break
        chosen.append(short)
        spent += cost(short)
    for place, piece in enumerate(pieces[: len(chosen)]):
        free = tokens - spent + cost(chosen[place])
        fuller = narrowed(piece, wanted, free, cost)
        spent += cost(fuller) - cost(chosen[place])
        chosen[place] = fuller
    return chosen


def narrowed(piece: Piece, wanted: frozenset[int], tokens: int, cost: Callable[[Piece], int]) -> Piece:
    """The run of lines within the budget that holds most of the question's words; one line at least."""
    if cost(piece) <= tokens:
        return piece
    lines = piece.text.split("\n")
    worth = [len(wanted & _terms(line)) for line in lines]
    low = high = max(range(len(lines)), key=lambda at: (worth[at], -at))
    best = _between(piece, lines, low, high)
    while low > 0 or high < len(lines) - 1:
        goes_up = low > 0 and (high == len(lines) - 1 or worth[low - 1] > worth[high + 1])
        low, high = (low - 1, high) if goes_up else (low, high + 1)
        wider = _between(piece, lines, low, high)
        if cost(wider) > tokens:
            break
        best = wider
    return best


def merged(known: Sequence[Piece], new: Iterable[Piece]) -> list[Piece]:
    """New pieces after the known ones; what lies inside a known one adds nothing."""
    found = list(known)
    for piece in new:
        if not any(
            piece.path == other.path and other.first <= piece.first <= piece.last <= other.last for other in found
        ):
            found.append(piece)
    return found


def question_terms(question: str) -> frozenset[int]:
    return frozenset(_terms(question))


def _between(piece: Piece, lines: Sequence[str], low: int, high: int) -> Piece:
    return replace(piece, first=piece.first + low, last=piece.first + high, text="\n".join(lines[low : high + 1]))


def _terms(line: str) -> set[int]:
    return {term for word in identifiers(line) for term in terms_of(word)}
