"""Find definitions that nothing uses: no edge, no mention, nothing in the language that could reach them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bottega.amounts import plural
from bottega.index import File, KnowledgeBase, KnowledgeReader, SymbolRow
from bottega.retrieve.unused.access import (
    find_decorators,
    has_foreign_base,
    implements_trait,
    is_exported_value,
    is_private,
    is_special,
)
from bottega.retrieve.unused.configuration import is_read_by_name
from bottega.retrieve.unused.interfaces import Interfaces
from bottega.retrieve.unused.mentions import Mentions, collect_mentions
from bottega.source.roles import Role

Confidence = Literal["high", "medium", "low"]

_KINDS = frozenset(
    "function method macro class interface struct enum trait object record protocol type constant variable".split()
)
_LOWEST = {"high": 0, "medium": 1, "low": 2}
_OF_TYPES = frozenset("class interface struct enum trait object record protocol type".split())


class UnusedSymbol(NamedTuple):
    """A definition without a use. `reasons` say what speaks for it, and what could still reach it."""

    symbol: SymbolRow
    language: str
    confidence: Confidence
    reasons: tuple[str, ...]


_Users = Mapping[int, list[tuple[int, str]]]


@dataclass(frozen=True)
class _Evidence:
    """All that is known about uses."""

    files: Mapping[int, File]
    symbols: Mapping[int, SymbolRow]
    users: _Users
    bases: Mapping[int, int]
    mentions: Mentions
    namesakes: Mapping[str, int]
    interfaces: Interfaces


def find_unused(
    reader: KnowledgeReader, on_file: Callable[[int, int], None] = lambda _done, _total: None
) -> list[UnusedSymbol]:
    """Definitions in code, by path and line; those that something may reach in another way are left out."""
    base = reader.base
    files = base.get_files()
    listed = base.get_symbols_by_role(Role.CODE)
    by_id = {symbol.id: symbol for symbol in listed}
    languages = {file.id: file.language for file in files}
    users = _read_users(base, by_id, languages)
    candidates = {symbol.id for symbol in listed if _is_candidate(symbol, by_id, languages[symbol.file_id])}
    unreached = _drop_reached(candidates, users)
    mentions = collect_mentions(reader.root, files, (by_id[number] for number in unreached), on_file)
    namesakes: Counter[str] = Counter(symbol.name for symbol in listed)
    interfaces = Interfaces([*listed, *base.get_symbols_by_role(Role.TEST)])
    by_number = {file.id: file for file in files}
    evidence = _Evidence(by_number, by_id, users, base.get_base_counts(), mentions, namesakes, interfaces)
    open_ends = {number for number in unreached if _may_be_reached(by_id[number], evidence, base, unreached)}
    unused = _drop_reached(unreached - open_ends, users)
    rated = _cap_by_users([_rate(symbol, evidence, unused) for symbol in listed if symbol.id in unused], users)
    return [entry for entry in rated if entry.symbol.parent_id not in unused or entry.symbol.kind in _OF_TYPES]


def _read_users(base: KnowledgeBase, by_id: Mapping[int, SymbolRow], languages: Mapping[int, str]) -> _Users:
    """The users of each symbol. What the language calls in a type, such as `__init__`, counts as the type."""
    holders = {
        number: symbol.parent_id
        for number, symbol in by_id.items()
        if symbol.parent_id and is_special(symbol.name, languages[symbol.file_id])
    }
    return {
        target: [(holders.get(source) or source, role) for source, role in sources]
        for target, sources in base.get_users().items()
    }


def _is_candidate(symbol: SymbolRow, by_id: Mapping[int, SymbolRow], language: str) -> bool:
    holder = by_id.get(symbol.parent_id or 0)
    is_inner = holder is not None and holder.kind not in _OF_TYPES and holder.kind != "module"
    is_value = symbol.kind in {"constant", "variable"} and holder is not None
    if symbol.kind not in _KINDS or is_inner or is_value or is_special(symbol.name, language):
        return False
    return holder is not None or not is_read_by_name(symbol.path, symbol.name)


def _drop_reached(candidates: set[int], users: _Users) -> set[int]:
    """Candidates that no code uses but other such candidates; tests do not count as users."""
    unreached = set(candidates)
    while True:
        reached = {
            number
            for number in unreached
            if any(
                role != Role.TEST and source not in unreached and source != number
                for source, role in users.get(number, ())
            )
        }
        if not reached:
            return unreached
        unreached -= reached


def _may_be_reached(symbol: SymbolRow, evidence: _Evidence, base: KnowledgeBase, unreached: set[int]) -> bool:
    """Whether something else than a resolved use can reach a definition."""
    language = evidence.files[symbol.file_id].language
    lines = evidence.mentions.lines.get(symbol.path, ())
    return bool(
        find_decorators(symbol, lines)
        or implements_trait(symbol, language, lines)
        or _may_be_dispatched(symbol, language, evidence, base)
        or evidence.mentions.find_prefix(symbol.name)
        or (evidence.namesakes[symbol.name] > 1 and _count_unresolved(symbol, evidence, unreached))
    )


def _may_be_dispatched(symbol: SymbolRow, language: str, evidence: _Evidence, base: KnowledgeBase) -> bool:
    """Whether a call of another method, or code outside the repository, may run a method."""
    holder = evidence.symbols.get(symbol.parent_id or 0)
    if holder is None:
        return False
    if has_foreign_base(holder, language, evidence.bases.get(holder.id, 0)):
        return True
    return bool(base.get_overridden(symbol))


def _count_unresolved(symbol: SymbolRow, evidence: _Evidence, unused: set[int]) -> int:
    """How many lines of code name a definition without being a known use of it."""
    known = sum(source in unused for source, role in evidence.users.get(symbol.id, ()) if role != Role.TEST)
    return max(0, evidence.mentions.count(symbol.name, Role.CODE) - known)


def _rate(symbol: SymbolRow, evidence: _Evidence, unused: set[int]) -> UnusedSymbol:
    language = evidence.files[symbol.file_id].language
    lines = evidence.mentions.lines.get(symbol.path, ())
    dead_users = sum(source in unused for source, role in evidence.users.get(symbol.id, ()) if role != Role.TEST)
    reasons = ["only definitions that nothing uses name it" if dead_users else "no code names it"]
    is_open = not is_private(symbol, language, lines)
    confidence: Confidence = "medium" if is_open else "high"
    if evidence.mentions.count(symbol.name, Role.TEST):
        reasons.append("only tests use it")
        confidence = "medium"
    if evidence.mentions.count(symbol.name, "other"):
        reasons.append("documentation, settings or other files name it")
        confidence = "low" if is_open else "medium"
    if times := _count_unresolved(symbol, evidence, unused):
        reasons = [f"its name stands on {plural(times, 'more line')} of code, not resolved to it"]
        confidence = "low"
    if evidence.interfaces.declare(symbol, language):
        reasons.append("an interface asks for a method of this name")
        confidence = "low"
    if is_open:
        reasons.append("public: other projects may use it")
        confidence = "low" if is_exported_value(symbol, language) else confidence
    return UnusedSymbol(symbol, language, confidence, tuple(reasons))


def _cap_by_users(found: list[UnusedSymbol], users: _Users) -> list[UnusedSymbol]:
    """A definition is no surer to be unused than its type, and than the least sure of its users."""
    rates = {entry.symbol.id: entry.confidence for entry in found}
    holders = {entry.symbol.id: entry.symbol.parent_id or 0 for entry in found}
    while True:
        lowered = {}
        for number, confidence in rates.items():
            sources = (holders[number], *(source for source, _ in users.get(number, ())))
            around = [rates[source] for source in sources if source in rates]
            least = max([confidence, *around], key=_LOWEST.__getitem__)
            if least != confidence:
                lowered[number] = least
        if not lowered:
            return [entry._replace(confidence=rates[entry.symbol.id]) for entry in found]
        rates |= lowered
