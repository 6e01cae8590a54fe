"""The text of a unit: whole, with lines left out, as an outline, or as a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from bottega.amounts import plural
from bottega.index import KnowledgeReader, SymbolRow
from bottega.source import Span
from bottega.source.words import identifiers, terms_of

Count = Callable[[str], int]
"""Counts the tokens of a text for the model that will read it."""

# What `… 12 lines left out` costs.
_MARK_TOKENS = 8
# Lines shown around a line that shares words with the task.
_AROUND = 2
# The beginning of a definition is always shown: its signature may take several lines.
_HEAD = 3


class FileTexts:
    """Lines of indexed files as they are on the disk now, secrets masked; every file is read once."""

    def __init__(self, reader: KnowledgeReader) -> None:
        self._reader = reader
        self._files: dict[str, list[str]] = {}

    def read_lines(self, span: Span) -> list[str]:
        """Empty where the file or its first line does not exist any more."""
        if span.path not in self._files:
            text = self._reader.text(span.path)
            self._files[span.path] = [line.removesuffix("\r") for line in text.split("\n")] if text else []
        return self._files[span.path][span.first - 1 : span.last]


class ShownText(NamedTuple):
    """Lines of a span with a mark for each gap; `parts` are the lines that are shown, counted from 0."""

    text: str
    parts: tuple[tuple[int, int], ...]
    left_out: int


def shorten_lines(lines: Sequence[str], wanted: frozenset[int], tokens: int, count: Count) -> ShownText:
    """The beginning of the lines and those that share most terms with the task, within a budget."""
    return _show(lines, _choose_lines(lines, range(len(lines)), wanted, tokens, count))


def show_own_lines(
    lines: Sequence[str], inner: Sequence[Span], wanted: frozenset[int], tokens: int, count: Count
) -> ShownText:
    """The lines of a file outside of its symbols that share terms with the task; without symbols all lines.

    The text begins and ends with a line that is shown.
    """
    own = set(range(len(lines)))
    for span in inner:
        own -= set(range(span.first - 1, span.last))
    among = [at for at in sorted(own) if lines[at].strip()]
    if inner:
        among = [at for at in among if wanted & collect_terms(lines[at])]
    kept = _choose_lines(lines, among, wanted, tokens, count, head=0)
    low, high = min(kept, default=0), max(kept, default=-1)
    shown = _show(lines[low : high + 1], {at - low for at in kept})
    return shown._replace(parts=tuple((first + low, last + low) for first, last in shown.parts))


def _choose_lines(
    lines: Sequence[str], among: Sequence[int], wanted: frozenset[int], tokens: int, count: Count, *, head: int = _HEAD
) -> set[int]:
    """All of these lines if they fit, else the first ones and those that share most terms with the task."""
    costs = {at: count(lines[at]) + 1 for at in among}
    if sum(costs.values()) <= tokens:
        return set(among)
    kept = set(among[:head])
    spent = sum(costs[at] for at in kept) + _MARK_TOKENS
    for at in _rank_lines(lines, among, wanted):
        window = [near for near in range(at - _AROUND, at + _AROUND + 1) if near in costs and near not in kept]
        cost = sum(costs[near] for near in window) + _MARK_TOKENS
        if window and spent + cost <= tokens:
            kept.update(window)
            spent += cost
    return kept


def outline_lines(
    lines: Sequence[str],
    symbol: SymbolRow,
    members: Iterable[SymbolRow],
    wanted: frozenset[int],
    tokens: int,
    count: Count,
) -> ShownText:
    """A type without the bodies of its members: its own lines, and the first line of each member."""
    kept = set(range(len(lines)))
    for member in members:
        kept -= set(range(member.first + 1 - symbol.first, member.last + 1 - symbol.first))
    return _show(lines, _choose_lines(lines, sorted(kept), wanted, tokens, count))


def _rank_lines(lines: Sequence[str], among: Sequence[int], wanted: frozenset[int]) -> list[int]:
    """Lines by how many terms they share with the task; of equal ones the first."""
    return sorted(among, key=lambda at: (-len(wanted & collect_terms(lines[at])), at))


def _show(lines: Sequence[str], kept: set[int]) -> ShownText:
    """The kept lines, with a mark for each gap, indented like the last line of it."""
    shown: list[str] = []
    parts: list[tuple[int, int]] = []
    gap = 0
    for at, line in enumerate(lines):
        if at not in kept:
            gap += 1
            continue
        if gap:
            shown.append(_mark_gap(gap, lines[at - 1]))
        if parts and parts[-1][1] == at - 1:
            parts[-1] = (parts[-1][0], at)
        else:
            parts.append((at, at))
        gap = 0
        shown.append(line)
    if gap:
        shown.append(_mark_gap(gap, lines[-1]))
    return ShownText("\n".join(shown), tuple(parts), len(lines) - len(kept))


def _mark_gap(gap: int, line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}… {plural(gap, 'line')} left out"


@lru_cache(maxsize=20_000)
def collect_terms(text: str) -> frozenset[int]:
    return frozenset(term for word in identifiers(text) for term in terms_of(word))
