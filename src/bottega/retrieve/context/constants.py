"""Values that shown code uses by name, such as `CHUNK_SIZE = 1024`: their definitions, a unit for each file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePosixPath

from bottega.index import KnowledgeBase, SymbolRow, kind_weight
from bottega.retrieve.context.texts import FileTexts, collect_terms
from bottega.retrieve.context.values import VALUES, ContextUnit, DetailLevel, Tier
from bottega.source.words import identifiers

# Units whose values are shown, values of all of them, and lines of one value.
_MOST_USERS, _MOST_VALUES, _MOST_LINES = 8, 8, 20
_VALUE = 1
_SHORTEST_NAME = 3
# A name with more definitions is a common word.
_MOST_DEFINITIONS = 6
_HEADING_TOKENS = 24


def build_value_units(
    users: Sequence[ContextUnit],
    wanted: Collection[int],
    base: KnowledgeBase,
    texts: FileTexts,
    tokens: float,
    cost: Callable[[str], int],
) -> Iterator[ContextUnit]:
    """Definitions of the values that these units use, as many as fit; those that share words with the task first."""
    names = dict.fromkeys(
        name for unit in users[:_MOST_USERS] for name in identifiers(unit.text) if len(name) >= _SHORTEST_NAME
    )
    if not names:
        return
    values: list[SymbolRow] = []
    places = base.get_definition_lines(list(names))
    candidates = [
        name
        for name, found in places.items()
        if 0 < len(found) <= _MOST_DEFINITIONS and any(kind_weight(place.kind) <= _VALUE for place in found)
    ]
    if not candidates:
        return
    paths = frozenset(unit.path for unit in users[:_MOST_USERS])
    for numbers in base.get_definitions(candidates).values():
        rows = [row for number in numbers if (row := base.get_symbol(number)) is not None]
        value = _choose_value(rows, users, paths)
        if value is not None and _is_assigned(value) and _is_reachable(value, names, users):
            values.append(value)
    values.sort(key=lambda row: -len(collect_terms(row.name) & frozenset(wanted)))
    files: dict[str, list[SymbolRow]] = defaultdict(list)
    taken = 0
    for value in values[: 2 * _MOST_VALUES]:
        if taken == _MOST_VALUES or tokens <= 0:
            break
        price = cost(_format_lines([value], texts)) + (0 if value.path in files else _HEADING_TOKENS)
        if price <= tokens:
            tokens, taken = tokens - price, taken + 1
            files[value.path].append(value)
    for path, rows in files.items():
        yield _build_unit(path, rows, texts)


def _choose_value(rows: Sequence[SymbolRow], users: Sequence[ContextUnit], paths: Collection[str]) -> SymbolRow | None:
    """The value of a name: its only definition, or the only one in a file of the users; not one that is shown.

    A definition in files of another kind is about something else.
    """
    endings = {PurePosixPath(path).suffix for path in paths}
    rows = [row for row in rows if PurePosixPath(row.path).suffix in endings]
    if len(rows) > 1:
        rows = [row for row in rows if row.path in paths]
    if len(rows) != 1 or kind_weight(rows[0].kind) > _VALUE or rows[0].last - rows[0].first >= _MOST_LINES:
        return None
    row = rows[0]
    is_shown = any(span.overlaps(row.span) for unit in users if unit.path == row.path for span in unit.spans)
    return None if is_shown else row


def _is_assigned(row: SymbolRow) -> bool:
    """Whether a definition gives a value; a field that only has a type says nothing."""
    return "=" in row.signature


def _is_reachable(row: SymbolRow, names: Collection[str], users: Sequence[ContextUnit]) -> bool:
    """Whether the users name the type that a value belongs to, or belong to it themselves."""
    owner = row.qualified.rpartition(".")[0]
    return not owner or owner.split(".")[-1] in names or any(unit.symbol.startswith(f"{owner}.") for unit in users)


def _format_lines(rows: Sequence[SymbolRow], texts: FileTexts) -> str:
    """The lines of values with their numbers."""
    return "\n".join(
        f"{number}: {line}"
        for row in rows
        for number, line in enumerate(texts.read_lines(row.span), row.first)
        if line.strip()
    )


def _build_unit(path: str, rows: Sequence[SymbolRow], texts: FileTexts) -> ContextUnit:
    rows = sorted(rows, key=lambda row: row.first)
    first, last = rows[0].first, max(row.last for row in rows)
    return ContextUnit(
        *(path, first, last, _format_lines(rows, texts)),
        symbol=", ".join(row.qualified for row in rows),
        kind=VALUES,
        origin="used by the code shown",
        level=DetailLevel.SUPPORTING,
        tier=Tier.DEPENDENCY,
        left_out=last - first + 1 - sum(row.last - row.first + 1 for row in rows),
        parts=tuple((row.first, row.last) for row in rows),
    )
