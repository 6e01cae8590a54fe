"""Fill a token budget with units: the best symbols in full, what calls them, then signatures of what else there is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from bottega.amounts import plural
from bottega.index import KnowledgeBase, SymbolRow, kind_weight
from bottega.retrieve.context.callers import build_caller_units
from bottega.retrieve.context.candidates import RankedCandidates
from bottega.retrieve.context.constants import build_value_units
from bottega.retrieve.context.texts import Count, FileTexts, ShownText, outline_lines, shorten_lines, show_own_lines
from bottega.retrieve.context.values import ContextUnit, Decision, DetailLevel, Tier
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.symbols import RankedSymbol
from bottega.source import Span

# What callers, signatures and values take of the budget: a share, and at most so many tokens. Definitions that the task
# names come before these.
_SHARE_OF_FEW_LINES, _MOST_OF_FEW_LINES = 0.1, 800
_SHARE_OF_VALUES, _MOST_OF_VALUES = 0.1, 300
# A longer symbol is shown by its first lines and those that share words with the task.
_LONGEST_SHARE, _LEAST_OF_A_SYMBOL = 0.25, 300
# The outline of a type, and lines outside of any symbol.
_OUTLINE_SHARE, _LEAST_OUTLINE, _NAMED_TOKENS = 0.06, 200, 120
# Lines of a file that are read for what stands outside of its symbols.
_MOST_LINES = 100_000
# What a unit costs beside its text: its heading and its fence.
HEADING_TOKENS = 18
_FUNCTION, _VALUE = 2, 1
# Symbols whose callers are shown.
_MOST_CALLED = 4
_MOST_DECISIONS = 200
_SIGNATURES_OF_A_FILE = 2


@dataclass
class Assembly:
    """Units chosen so far, by what is left of the budget; `spans` of each file are the lines that they show."""

    texts: FileTexts
    base: KnowledgeBase
    corpus: Corpus
    wanted: frozenset[int]
    count: Count
    budget: int
    refused: frozenset[str] = frozenset()
    units: list[ContextUnit] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    nodes: set[str] = field(default_factory=set)
    spent: int = 0

    def add(self, unit: ContextUnit, reason: str, limit: float) -> bool:
        """Take a unit if it fits below `limit` tokens; record the decision."""
        cost = self.count(unit.text) + HEADING_TOKENS
        fits = self.spent + cost <= limit
        if fits:
            self.units.append(replace(unit, rank=len(self.units)))
            self.spans[unit.path] += unit.parts or [(unit.first, unit.last)]
            self.nodes.add(unit.node)
            self.spent += cost
        self.decide(unit.symbol or str(unit.span), unit.level, unit.tier, reason, cost, is_included=fits)
        return fits

    def decide(
        self, what: str, level: DetailLevel, tier: int, reason: str, tokens: int = 0, *, is_included: bool = False
    ) -> None:
        level = level if is_included else DetailLevel.EXCLUDED
        reason = reason if is_included or not tokens else f"{reason}; {tokens} tokens do not fit"
        self.decisions.append(Decision(what, level, tier, is_included, reason, tokens))

    def holds(self, path: str, first: int, last: int) -> bool:
        return any(low <= first and last <= high for low, high in self.spans.get(path, ()))


def assemble(candidates: RankedCandidates, assembly: Assembly) -> None:
    """Choose units until the budget is spent."""
    budget = assembly.budget
    few = min(budget * _SHARE_OF_FEW_LINES, _MOST_OF_FEW_LINES)
    values = min(budget * _SHARE_OF_VALUES, _MOST_OF_VALUES)
    _add_ranked(candidates, assembly, budget - 2 * few - values)
    _add_named(candidates, assembly, budget)
    _add_values(assembly, min(budget, assembly.spent + few / 2 + values))
    _add_callers(assembly, budget - few)
    _add_signatures(candidates, assembly, budget)
    _decide_rest(candidates, assembly)


def _add_ranked(candidates: RankedCandidates, assembly: Assembly, limit: float) -> None:
    """The best symbols; one that does not fit is passed over, so that shorter ones after it may fit."""
    for rank, unit in enumerate(candidates.units, 1):
        path = assembly.corpus.paths[unit.file]
        if assembly.spent >= limit - _LEAST_OF_A_SYMBOL / 4:
            break
        if unit.symbol is not None and assembly.holds(path, unit.first, unit.last):
            continue
        tier = candidates.tiers[unit.file].tier
        if unit.symbol is not None and unit.symbol.node in assembly.refused:
            assembly.decide(unit.symbol.qualified, DetailLevel.EXCLUDED, tier, "a model judged that it does not matter")
            continue
        built = build_unit(unit, tier, assembly)
        if built is not None:
            assembly.add(built, f"rank {rank} of the symbols, score {unit.score:g}", limit)


def build_unit(unit: RankedSymbol, tier: int, assembly: Assembly) -> ContextUnit | None:
    """A symbol as it is shown: a function in full or shortened, a long type as an outline; `None` if it is gone."""
    symbol = unit.symbol
    path = assembly.corpus.paths[unit.file]
    if symbol is None:
        return _build_file_unit(path, assembly.corpus.snapshot.files[unit.file].id, tier, assembly)
    lines = assembly.texts.read_lines(Span(path, unit.first, unit.last))
    if not lines:
        return None
    if kind_weight(symbol.kind) > _FUNCTION:
        most = max(_LEAST_OUTLINE, int(assembly.budget * _OUTLINE_SHARE))
        members = [row for row in assembly.base.get_symbols_for_file(symbol.file_id) if row.parent_id == symbol.id]
        shown = outline_lines(lines, symbol, members, assembly.wanted, most, assembly.count)
    else:
        most = max(_LEAST_OF_A_SYMBOL, int(assembly.budget * _LONGEST_SHARE))
        shown = shorten_lines(lines, assembly.wanted, most, assembly.count)
    return _describe(symbol, shown, tier, assembly, first=unit.first, last=unit.last)


def _build_file_unit(path: str, file_id: int, tier: int, assembly: Assembly) -> ContextUnit | None:
    """The lines of a file that belong to no symbol: settings, statements of the module, prose."""
    lines = assembly.texts.read_lines(Span(path, 1, _MOST_LINES))
    most = max(_LEAST_OUTLINE, int(assembly.budget * _OUTLINE_SHARE))
    symbols = assembly.base.get_symbols_for_file(file_id)
    inner = [symbol.span for symbol in symbols if kind_weight(symbol.kind) > _VALUE or symbol.kind == "section"]
    shown = show_own_lines(lines, inner, assembly.wanted, most, assembly.count)
    if not shown.parts:
        return None
    first, last = shown.parts[0][0] + 1, shown.parts[-1][1] + 1
    return ContextUnit(
        *(path, first, last, shown.text),
        kind="file",
        tier=tier,
        left_out=shown.left_out,
        parts=tuple((low + 1, high + 1) for low, high in shown.parts),
    )


def _describe(
    symbol: SymbolRow, shown: ShownText, tier: int, assembly: Assembly, *, first: int, last: int
) -> ContextUnit:
    purpose = assembly.corpus.purposes.get(assembly.corpus.numbers.get(symbol.file_id, -1), "")
    return ContextUnit(
        *(symbol.path, first, last, shown.text, symbol.qualified, symbol.kind, symbol.node, symbol.signature),
        about=purpose,
        tier=tier,
        left_out=shown.left_out,
        parts=tuple((first + low, first + high) for low, high in shown.parts),
    )


def _add_named(candidates: RankedCandidates, assembly: Assembly, limit: float) -> None:
    """Definitions that the task names and that rank too low: their first lines."""
    for symbol in candidates.named:
        if symbol.node in assembly.nodes or assembly.holds(symbol.path, symbol.first, symbol.last):
            continue
        lines = assembly.texts.read_lines(symbol.span)
        shown = shorten_lines(lines, assembly.wanted, _NAMED_TOKENS, assembly.count)
        if shown.text:
            unit = _describe(symbol, shown, Tier.NAMED, assembly, first=symbol.first, last=symbol.last)
            assembly.add(replace(unit, level=DetailLevel.SUPPORTING, origin="named"), "the task names it", limit)


def _add_values(assembly: Assembly, limit: float) -> None:
    """Definitions of the values that the first symbols use."""
    users = [unit for unit in assembly.units if unit.level is DetailLevel.PRIMARY]
    tokens = limit - assembly.spent
    for unit in build_value_units(users, assembly.wanted, assembly.base, assembly.texts, tokens, assembly.count):
        assembly.add(unit, unit.origin, limit)


def _add_callers(assembly: Assembly, limit: float) -> None:
    """The lines that call the first functions, each with the signature of the function around it."""
    called = [unit for unit in assembly.units if unit.level is DetailLevel.PRIMARY and unit.node][:_MOST_CALLED]
    for unit in called:
        for caller in build_caller_units(unit, assembly.base, assembly.texts):
            if caller.node not in assembly.nodes and not assembly.holds(caller.path, caller.first, caller.last):
                assembly.add(caller, caller.origin, limit)


def _add_signatures(candidates: RankedCandidates, assembly: Assembly, limit: float) -> None:
    """Signatures of the best symbols of files that are not shown yet, files in order of their tier."""
    best: dict[int, list[SymbolRow]] = defaultdict(list)
    for unit in candidates.units:
        if unit.symbol is not None and len(best[unit.file]) < _SIGNATURES_OF_A_FILE:
            best[unit.file].append(unit.symbol)
    for file in candidates.scope:
        path = assembly.corpus.paths[file.number]
        if path in assembly.spans or assembly.spent >= limit:
            continue
        symbols = best.get(file.number) or assembly.base.get_symbols_for_file(
            assembly.corpus.snapshot.files[file.number].id
        )
        assembly.add(_build_signatures(path, symbols[:_SIGNATURES_OF_A_FILE], file.tier), file.reason, limit)


def _build_signatures(path: str, symbols: Sequence[SymbolRow], tier: int) -> ContextUnit:
    """A file by the signatures of its best symbols; without symbols by its path alone."""
    text = "\n".join(f"{symbol.first}: {symbol.signature or symbol.qualified}" for symbol in symbols)
    first = min((symbol.first for symbol in symbols), default=1)
    last = max((symbol.last for symbol in symbols), default=1)
    return ContextUnit(
        *(path, first, last, text),
        kind="file",
        origin="signatures",
        level=DetailLevel.TYPE_CONTEXT,
        tier=tier,
        parts=tuple((symbol.first, symbol.first) for symbol in symbols),
    )


def _decide_rest(candidates: RankedCandidates, assembly: Assembly) -> None:
    """Record what was not looked at because the budget was spent: the first symbols, and the others by file."""
    seen = {decision.what for decision in assembly.decisions}
    rest: dict[int, int] = defaultdict(int)
    for rank, unit in enumerate(candidates.units, 1):
        symbol = unit.symbol
        if symbol is None or symbol.qualified in seen or assembly.holds(symbol.path, unit.first, unit.last):
            continue
        if len(assembly.decisions) < _MOST_DECISIONS:
            tier = candidates.tiers[unit.file].tier
            assembly.decide(
                symbol.qualified, DetailLevel.EXCLUDED, tier, f"rank {rank} of the symbols: the budget is spent"
            )
        else:
            rest[unit.file] += 1
    for number, left in rest.items():
        tier = candidates.tiers[number].tier
        reason = f"{plural(left, 'further symbol')} of lower rank: the budget is spent"
        assembly.decide(assembly.corpus.paths[number], DetailLevel.EXCLUDED, tier, reason)


def order_units(units: Sequence[ContextUnit]) -> Iterator[ContextUnit]:
    """Units file by file, the file of the best unit first, and in each file by line; signatures last."""
    files: dict[str, list[ContextUnit]] = defaultdict(list)
    for unit in units:
        if unit.level is not DetailLevel.TYPE_CONTEXT:
            files[unit.path].append(unit)
    for inside in files.values():
        yield from sorted(inside, key=lambda unit: (unit.first, unit.last))
    yield from (unit for unit in units if unit.level is DetailLevel.TYPE_CONTEXT)
