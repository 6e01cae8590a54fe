"""Find the groups of clones of a whole repository, in time that grows with its lines."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, NamedTuple

from bottega.cancellation import current_cancellation
from bottega.index import File, KnowledgeReader, SymbolRow
from bottega.retrieve.similar.compare import CLONE, compare, is_clone, may_be_clone, normalize_lines, shape_lines
from bottega.source.roles import Role
from bottega.source.text import read_text

GroupKinship = Literal["exact", "same shape", "near"]

_KINDS = frozenset("function method macro class interface struct enum trait object record protocol module".split())
# Without their names, the fields of any two types look alike.
_FIELDS_ONLY = frozenset("interface struct enum trait record protocol".split())
_ORDER: Mapping[GroupKinship, int] = {"exact": 0, "same shape": 1, "near": 2}
# A unit is known by the smallest hashes of its runs of lines: units that share most lines share one of them.
_RUN, _SKETCH = 3, 8
# So many groups at the most are compared for one hash: a run that stands everywhere says nothing.
_MOST_COMPARED = 20


class CloneGroup(NamedTuple):
    """Units that are clones of the first. `lines` are those of the longest, without comments and empty lines."""

    kinship: GroupKinship
    lines: int
    is_test: bool
    members: tuple[SymbolRow, ...]

    @property
    def repeated(self) -> int:
        return self.lines * (len(self.members) - 1)


@dataclass(frozen=True, slots=True)
class _Unit:
    symbol: SymbolRow
    is_test: bool
    lines: Sequence[str]
    shape: Sequence[str]
    exact_key: bytes
    shape_key: bytes


@dataclass(slots=True)
class _Cluster:
    """A unit with its clones."""

    first: _Unit
    others: list[_Unit] = field(default_factory=list)

    def has_overlap(self, unit: _Unit) -> bool:
        return any(is_overlapping(unit.symbol, member.symbol) for member in (self.first, *self.others))


def find_clone_groups(
    reader: KnowledgeReader, fewest_lines: int, on_file: Callable[[int, int], None] = lambda _done, _total: None
) -> list[CloneGroup]:
    """Exact copies first, then those of the same shape, then near ones, each with the most repeated lines first.

    A group inside of another one is left out, as the methods of classes that are clones.
    """
    units = sorted(_read_units(reader, fewest_lines, on_file), key=lambda unit: -len(unit.lines))
    groups = [_build_group(cluster) for cluster in _cluster(units) if cluster.others]
    groups.sort(key=lambda group: (-group.lines, group.members[0].path, group.members[0].first))
    outer = _drop_inner(groups)
    return sorted(outer, key=lambda group: (group.is_test, _ORDER[group.kinship], -group.repeated))


def is_overlapping(one: SymbolRow, other: SymbolRow) -> bool:
    return one.path == other.path and one.first <= other.last and other.first <= one.last


def _read_units(reader: KnowledgeReader, fewest_lines: int, on_file: Callable[[int, int], None]) -> Iterator[_Unit]:
    files = [file for file in reader.base.get_files() if file.role in {Role.CODE, Role.TEST}]
    symbols: dict[int, list[SymbolRow]] = defaultdict(list)
    for role in (Role.CODE, Role.TEST):
        for symbol in reader.base.get_symbols_by_role(role):
            if symbol.kind in _KINDS and symbol.last - symbol.first + 1 >= fewest_lines:
                symbols[symbol.file_id].append(symbol)
    for done, file in enumerate(files, 1):
        on_file(done, len(files))
        text = _read_lines(reader, file) if file.id in symbols else []
        for symbol in symbols[file.id]:
            lines = normalize_lines("\n".join(text[symbol.first - 1 : symbol.last]))
            if len(lines) >= fewest_lines:
                yield _build_unit(symbol, file, lines)


def _read_lines(reader: KnowledgeReader, file: File) -> list[str]:
    try:
        return (read_text(reader.root / file.path, below=reader.root) or "").split("\n")
    except OSError:
        return []


def _build_unit(symbol: SymbolRow, file: File, lines: list[str]) -> _Unit:
    """Copies under another name are exact: the name in the first line does not count."""
    shape = lines if symbol.kind in _FIELDS_ONLY else shape_lines(lines)
    exact = [lines[0].replace(symbol.name, "", 1), *lines[1:]]
    is_test = file.role == Role.TEST or symbol.name.startswith("test_") or ".tests." in f".{symbol.qualified}"
    return _Unit(symbol, is_test, lines, shape, _hash(file.language, *exact), _hash(file.language, *shape))


def _cluster(units: Sequence[_Unit]) -> list[_Cluster]:
    """Each unit joins the first cluster whose first unit it is a clone of, the longest units first."""
    clusters: list[_Cluster] = []
    by_shape: dict[bytes, _Cluster] = {}
    by_run: dict[bytes, list[_Cluster]] = defaultdict(list)
    for unit in units:
        current_cancellation().check()
        cluster = by_shape.get(unit.shape_key)
        runs = [] if cluster is not None else _sketch(unit)
        cluster = cluster or _find_near(unit, runs, by_run)
        if cluster is not None and not cluster.has_overlap(unit):
            cluster.others.append(unit)
            continue
        clusters.append(by_shape.setdefault(unit.shape_key, _Cluster(unit)))
        for run in runs:
            by_run[run].append(clusters[-1])
    return clusters


def _sketch(unit: _Unit) -> list[bytes]:
    runs = {_hash(*unit.shape[at : at + _RUN]) for at in range(max(1, len(unit.shape) - _RUN + 1))}
    return heapq.nsmallest(_SKETCH, runs)


def _find_near(unit: _Unit, runs: Sequence[bytes], by_run: Mapping[bytes, list[_Cluster]]) -> _Cluster | None:
    tried: set[int] = set()
    for run in runs:
        for cluster in by_run.get(run, ())[:_MOST_COMPARED]:
            if id(cluster) in tried:
                continue
            tried.add(id(cluster))
            other = cluster.first
            if may_be_clone(unit.shape, other.shape) and _is_clone(unit, other):
                return cluster
    return None


def _is_clone(unit: _Unit, other: _Unit) -> bool:
    found = compare(unit.lines, other.lines)
    return found.lines >= CLONE if unit.symbol.kind in _FIELDS_ONLY else is_clone(found)


def _build_group(cluster: _Cluster) -> CloneGroup:
    members = sorted([cluster.first, *cluster.others], key=lambda unit: unit.symbol.span)
    kinship: GroupKinship = "near"
    if len({unit.exact_key for unit in members}) == 1:
        kinship = "exact"
    elif len({unit.shape_key for unit in members}) == 1:
        kinship = "same shape"
    longest = max(len(unit.lines) for unit in members)
    is_test = all(unit.is_test for unit in members)
    return CloneGroup(kinship, longest, is_test, tuple(unit.symbol for unit in members))


def _drop_inner(groups: Sequence[CloneGroup]) -> list[CloneGroup]:
    """Without groups all of whose members lie in members of longer groups."""
    kept: list[CloneGroup] = []
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for group in groups:
        if all(any(a <= m.first and m.last <= b for a, b in spans[m.path]) for m in group.members):
            continue
        kept.append(group)
        for member in group.members:
            spans[member.path].append((member.first, member.last))
    return kept


def _hash(*parts: str) -> bytes:
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
