"""What calls a symbol, as a model reads it: the calling lines with the signature of the function around them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bottega.index import KnowledgeBase, Neighbour
from bottega.retrieve.context.texts import FileTexts
from bottega.retrieve.context.values import ContextUnit, DetailLevel, Tier
from bottega.source import Span

# Edges below this confidence are one of several candidates, or a guess by name.
SURE = 0.9
_MOST_CALLERS, _MOST_LINES = 5, 3


def build_caller_units(unit: ContextUnit, base: KnowledgeBase, texts: FileTexts) -> Iterator[ContextUnit]:
    """The callers of a symbol, sure ones first and those of code before tests; an unsure one is said to be one."""
    symbols = base.get_symbols_by_node(unit.node)
    symbol = next((row for row in symbols if row.path == unit.path), None)
    if symbol is None:
        return
    callers: dict[int, list[Neighbour]] = defaultdict(list)
    for neighbour in base.get_symbol_neighbors(symbol.id, "callers", ("calls", "refers")):
        if neighbour.symbol is not None and neighbour.symbol.id != symbol.id:
            callers[neighbour.symbol.id].append(neighbour)
    ordered = sorted(callers.values(), key=lambda edges: -max(edge.confidence for edge in edges))
    for edges in ordered[:_MOST_CALLERS]:
        yield from _build_caller(unit, edges, texts)


def _build_caller(unit: ContextUnit, edges: list[Neighbour], texts: FileTexts) -> Iterator[ContextUnit]:
    caller = edges[0].symbol
    assert caller is not None
    numbers = sorted({edge.line for edge in edges if edge.line})[:_MOST_LINES]
    shown = [
        f"{number}: {line.strip()}"
        for number in numbers
        for line in texts.read_lines(Span(caller.path, number, number))
    ]
    if not shown:
        return
    is_sure = max(edge.confidence for edge in edges) >= SURE
    verb = "calls" if is_sure else "may call"
    head = f"{caller.first}: {caller.signature or caller.qualified}"
    yield ContextUnit(
        *(caller.path, caller.first, caller.last),
        "\n".join([head, *shown]),
        *(caller.qualified, caller.kind, caller.node, caller.signature),
        origin=f"{verb} {unit.symbol}",
        level=DetailLevel.SUPPORTING,
        tier=Tier.DEPENDENCY,
        left_out=max(0, caller.last - caller.first - len(shown)),
        parts=((caller.first, caller.first), *((number, number) for number in numbers)),
    )
