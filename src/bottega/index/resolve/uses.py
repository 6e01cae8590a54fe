"""Resolve a use to definitions: in the same file, through an import, or by a name in the repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bottega.index.analyse import NOBODY, Reference, Symbol
from bottega.index.resolve.candidates import MOST_MEANT, Candidates, Definition, deduplicate
from bottega.index.resolve.fitting import (
    IN_SQL,
    is_anything,
    is_module,
    is_nothing,
    is_table,
    is_type,
    may_be_accessed,
    may_be_called,
    may_be_called_as_member,
    may_be_passed,
    stands_alone,
)
from bottega.index.resolve.imports import Target
from bottega.index.resolve.layout import FileName, Layout
from bottega.index.resolve.resolution import (
    IMPORT,
    SAME_FILE,
    UNIQUE,
    UNRESOLVED,
    DefinitionSource,
    Edge,
    Resolution,
    resolve_by_name,
)
from bottega.index.resolve.scope import Scope

_ITSELF = frozenset({"self", "this", "cls", "super", "Self", "static", "parent", "@self", "base", "super()", "$this"})
_ABOVE = frozenset({"super", "parent", "base", "super()"})
# Schemas that scripts leave out.
_USUAL_SCHEMAS = frozenset({"", "dbo", "public"})
# Languages in which calling a name may read a field: Java records, Scala values, Ruby attribute readers.
_ACCESSORS = frozenset({"jvm", "Ruby"})
# Bases of one type that are searched for an inherited member.
_MOST_BASES = 16
_KIND = {
    "call": "calls",
    "inherit": "inherits",
    "type": "uses",
    "name": "refers",
    "value": "refers",
    "read": "reads",
    "write": "writes",
}


class Uses:
    """Resolves uses, one file after another, against one state of the repository."""

    def __init__(self, layout: Layout, known: DefinitionSource) -> None:
        self._layout = layout
        self._known = known

    def edges(
        self,
        file: FileName,
        symbols: Sequence[tuple[int, Symbol]],
        references: Iterable[Reference],
        targets: Iterable[tuple[str, Target | None]],
    ) -> list[Edge]:
        """Edges from a file; `targets` holds alias and target of each of its imports.

        A target of `None` is outside the repository: uses of its alias are not resolved.
        """
        scope = _UseScope(self._layout, self._known, file, symbols, targets)
        references = list(references)
        scope.learn_bases(references)
        merged: dict[tuple[int, int, int, str], Edge] = {}
        for use in references:
            found = scope.resolve(use)
            source = symbols[use.symbol][0] if use.symbol != NOBODY else 0
            for meant in found.definitions:
                if meant.symbol == source:
                    continue
                key = (source, meant.file, meant.symbol, _KIND[use.kind])
                edge = Edge(*key[:3], key[3], found.how, found.confidence, use.line, use.times)
                before = merged.get(key)
                merged[key] = edge if before is None else _merge_edges(before, edge)
        return list(merged.values())


class _UseScope(Scope):
    """Resolves the uses in one file."""

    def __init__(
        self,
        layout: Layout,
        known: DefinitionSource,
        file: FileName,
        symbols: Sequence[tuple[int, Symbol]],
        targets: Iterable[tuple[str, Target | None]],
    ) -> None:
        super().__init__(layout, known, file, symbols, targets)
        self._bases: dict[int, list[str]] = defaultdict(list)
        self._resolutions: dict[tuple[object, ...], Resolution] = {}
        self._schemas: dict[tuple[str, str], dict[str, list[Definition]]] = {}

    def learn_bases(self, references: Iterable[Reference]) -> None:
        for use in references:
            if use.kind == "inherit" and use.symbol != NOBODY and len(self._bases[use.symbol]) < _MOST_BASES:
                self._bases[use.symbol].append(use.name)

    def resolve(self, use: Reference) -> Resolution:
        """Resolve a use, cached by name and by the part of its context that the result depends on."""
        receiver = _schema(use.receiver) if self._family == "SQL" else use.receiver
        key = (use.kind, use.name, receiver, *self._find_context(use))
        found = self._resolutions.get(key)
        if found is None:
            found = self._resolutions[key] = self._resolve_use(use)
        return found

    def _find_context(self, use: Reference) -> tuple[int, ...]:
        """The type around a use with `self`, else the enclosing symbols that define the name of a bare use."""
        if use.receiver:
            return tuple(self._list_enclosing_types(use.symbol)[:1]) if _is_itself(use.receiver) else ()
        if use.name not in self._own_names or self._family == "SQL":
            return ()
        candidates = self._get_candidates(use.name)
        return tuple(
            number for number in self._list_enclosing(use.symbol) if candidates.find_in_place(self._file.id, number)
        )

    def _resolve_use(self, use: Reference) -> Resolution:
        if self._family == "SQL":
            return self._resolve_in_schema(use)
        if use.kind in {"inherit", "type"}:
            return self._resolve_named(use.name, use.symbol, is_type)
        if use.kind == "name":
            return self._resolve_bare_name(use.name, use.symbol, self._get_candidates(use.name), is_anything)
        if use.kind in {"read", "write"}:
            return self._resolve_named(use.name, use.symbol, is_table)
        if use.kind == "value" and not use.receiver:
            return self._resolve_passed(use)
        if not use.receiver:
            return self._resolve_named(use.name, use.symbol, may_be_called)
        return self._resolve_member(use)

    def _resolve_passed(self, use: Reference) -> Resolution:
        """Resolve a bare name in the place of a value; in C the definition may be in any file that is linked."""
        candidates = self._get_candidates(use.name).filter_by(may_be_passed)
        found = self._resolve_bare_name(use.name, use.symbol, candidates, may_be_passed)
        if found.definitions or self._family != "c":
            return found
        return resolve_by_name(candidates.filter_by(stands_alone).distinct, 0.6)

    def _resolve_in_schema(self, use: Reference) -> Resolution:
        """`Invoice` is `dbo.Invoice`, or else `crm.Invoice`; `crm.Invoice` means only itself."""
        candidates = self._get_candidates(use.name).filter_by(IN_SQL.get(use.kind, is_nothing))
        wanted = _schema(use.receiver)
        exact = self._group_by_schema(use.name, use.kind, candidates).get(wanted, [])
        loose = [] if wanted else candidates.all
        for meant, confidence in ((exact, 0.9), (loose, 0.7)):
            own = [definition for definition in meant if definition.file == self._file.id]
            seen = (
                self._limit_candidates(own, SAME_FILE, 0.95) if own else resolve_by_name(deduplicate(meant), confidence)
            )
            if seen.definitions:
                return seen
        return UNRESOLVED

    def _group_by_schema(self, name: str, kind: str, candidates: Candidates) -> dict[str, list[Definition]]:
        found = self._schemas.get((name, kind))
        if found is None:
            found = self._schemas[name, kind] = defaultdict(list)
            for candidate in candidates.all:
                found[_schema(candidate.qualified.rpartition(".")[0])].append(candidate)
        return found

    def _resolve_member(self, use: Reference) -> Resolution:
        """Resolve a name after a dot."""
        candidates = self._get_candidates(use.name)
        if not candidates:
            return UNRESOLVED
        head, last = use.receiver.lstrip("@").split(".")[0], use.receiver.replace("::", ".").split(".")[-1]
        if _is_itself(use.receiver):
            found = self._resolve_self_call(use, candidates)
        else:
            found = self._resolve_receiver(use.receiver, head, last, candidates)
        if found.definitions or head in self._outside or use.receiver in self._outside:
            return found
        fits = may_be_accessed if self._family in _ACCESSORS else may_be_called_as_member
        return resolve_by_name(candidates.filter_by(fits).distinct, 0.5)

    def _resolve_self_call(self, use: Reference, candidates: Candidates) -> Resolution:
        """Resolve to a method of the enclosing type, or of one of its bases."""
        for place in self._list_enclosing_types(use.symbol)[:1]:
            own = candidates.find_in_parents({self._symbols[place][0]})
            if own and use.receiver not in _ABOVE:
                return self._limit_candidates(own, SAME_FILE, 0.95)
            elsewhere = [self._symbols[place][1].name] if self._family == "Swift" else []  # in an extension
            for base in (*elsewhere, *self._bases.get(place, ())):
                inherited = self._resolve_inherited(base, place, candidates)
                if inherited.definitions:
                    return inherited
        return UNRESOLVED

    def _resolve_receiver(self, receiver: str, head: str, last: str, candidates: Candidates) -> Resolution:
        for alias in dict.fromkeys((receiver, head, last)):
            for target in self._bound.get(alias, ()):
                if target.name in {"", "default"}:
                    found = self._filter_reachable(candidates).find_in_files(set(target.files), MOST_MEANT + 1)
                    found = found or self._find_reexported(target.files, candidates)
                    if found:
                        return self._limit_candidates(found, IMPORT, 0.9)
        named = [*self._get_candidates(last).filter_by(is_module).all]
        if self._family == "Elixir":
            named += self._get_candidates(receiver).filter_by(is_module).all
        inside = candidates.find_in_parents({definition.symbol for definition in named})
        return (
            resolve_by_name(deduplicate(inside), 0.9) if inside else self._resolve_inherited(last, NOBODY, candidates)
        )

    def _resolve_inherited(self, name: str, symbol: int, candidates: Candidates) -> Resolution:
        """Candidates that are members of a type of this name, or of an extension of it."""
        holders = self._resolve_named(name, symbol, is_type)
        parents = {holder.symbol for holder in holders.definitions}
        parents |= {definition.symbol for definition in self._known.find_extensions(name, self._family).all}
        members = candidates.find_in_parents(parents)
        sure = holders if holders.definitions else Resolution((), UNIQUE, 0.8)
        return self._limit_candidates(members, sure.how, round(sure.confidence * 0.9, 3)) if members else UNRESOLVED


def _is_itself(receiver: str) -> bool:
    return "." not in receiver and receiver.lstrip("@") in _ITSELF


def _schema(path: str) -> str:
    """The schema of `server.database.schema`, "" for a default schema."""
    schema = path.rpartition(".")[2].lower()
    return "" if schema in _USUAL_SCHEMAS else schema


def _merge_edges(one: Edge, other: Edge) -> Edge:
    surer = one if one.confidence >= other.confidence else other
    return surer._replace(line=min(one.line, other.line), times=one.times + other.times)
