"""Which definition a use means: in the same file, through an import, by a name that only one thing has, or perhaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from bottega.index.analyse import NOBODY, Reference, Symbol
from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.candidates import MOST_MEANT, Candidates, Definition, Fits, distinct
from bottega.index.resolve.fitting import (
    IN_SQL,
    is_anything,
    is_module,
    is_nothing,
    is_outer,
    is_table,
    is_type,
    may_be_accessed,
    may_be_called,
    may_be_called_as_member,
    stands_alone,
)
from bottega.index.resolve.imports import Target
from bottega.index.resolve.layout import FileName, Layout, family

_ITSELF = frozenset({"self", "this", "cls", "super", "Self", "static", "parent", "@self", "base", "super()", "$this"})
_ABOVE = frozenset({"super", "parent", "base", "super()"})
# Languages in which a method calls another one of its type without saying so.
_IMPLICIT = frozenset({"jvm", "C#", "c", "Swift", "Ruby"})
# Languages in which the import of a file or a type brings its members within reach.
_OPEN_TYPES = frozenset({"C#", "jvm", "c", "Rust", "Ruby", "PHP", "Elixir", "Scala", "Haskell"})
# Schemas that people leave out.
_USUAL_SCHEMAS = frozenset({"", "dbo", "public"})
# Languages in which a field is read by a call of its name: records of Java, values of Scala, readers of Ruby.
_ACCESSORS = frozenset({"jvm", "Ruby"})
# Languages in which a bare name reaches members: inherited ones, constructors of values, or those of a module.
_BARE_MEMBERS = _IMPLICIT | {"Haskell", "Elixir", "PHP"}
# More distinct definitions of a name than this, and its bare use says nothing.
_MOST_NAMED = 5
# Bases of one type that are searched for an inherited member.
_MOST_BASES = 16
_DEEPEST_NESTING = 64
_DEEPEST_REEXPORT = 4
_KIND = {"call": "calls", "inherit": "inherits", "type": "uses", "name": "refers", "read": "reads", "write": "writes"}

SAME_FILE, IMPORT, UNIQUE, AMBIGUOUS = "same file", "import", "unique name", "ambiguous"


class Edge(NamedTuple):
    """From a symbol, or from the file where `source` is 0."""

    source: int
    target_file: int
    target: int
    kind: str
    how: str
    confidence: float
    line: int
    times: int


class Known(Protocol):
    """What is known of the other files."""

    def defined(self, name: str, family: str) -> Candidates:
        """Every definition of a name in one family of languages; extensions define nothing."""

    def extended(self, name: str, family: str) -> Candidates:
        """Every extension of a type of this name."""

    def brought(self, file: int, alias: str) -> Sequence[tuple[int, str]]:
        """What a file's imports call `alias`, or bring in wholesale for "*": target file and name there."""

    def path(self, file: int) -> str:
        """Where a file lies: the order of paths does not depend on the order in which files were read."""


class _Found(NamedTuple):
    definitions: Sequence[Definition]
    how: str
    confidence: float


_NOTHING = _Found((), "", 0.0)


class Uses:
    """Resolves file after file against one state of the repository."""

    def __init__(self, layout: Layout, known: Known) -> None:
        self._layout = layout
        self._known = known

    def edges(
        self,
        file: FileName,
        symbols: Sequence[tuple[int, Symbol]],
        references: Iterable[Reference],
        targets: Iterable[tuple[str, Target | None]],
    ) -> list[Edge]:
        """Edges out of a file; `targets` holds what each of its imports is called and where it leads.

        `None` is out of the repository: what is called so there is not guessed at here.
        """
        scope = _Scope(self._layout, self._known, file, symbols, targets)
        references = list(references)
        scope.learn_bases(references)
        merged: dict[tuple[int, int, int, str], Edge] = {}
        for use in references:
            found = scope.meaning(use)
            source = symbols[use.symbol][0] if use.symbol != NOBODY else 0
            for meant in found.definitions:
                if meant.symbol == source:
                    continue
                key = (source, meant.file, meant.symbol, _KIND[use.kind])
                edge = Edge(*key[:3], key[3], found.how, found.confidence, use.line, use.times)
                before = merged.get(key)
                merged[key] = edge if before is None else _joined(before, edge)
        return list(merged.values())


class _Scope:
    """What a file sees."""

    def __init__(
        self,
        layout: Layout,
        known: Known,
        file: FileName,
        symbols: Sequence[tuple[int, Symbol]],
        targets: Iterable[tuple[str, Target | None]],
    ) -> None:
        self._known = known
        self._file = file
        self._family = family(file.language)
        self._symbols = symbols
        self._own_names = {symbol.name for _, symbol in symbols}
        self._types = {number for number, symbol in symbols if symbol.kind in TYPES}
        self._bound: dict[str, list[Target]] = defaultdict(list)
        self._outside: set[str] = set()
        wide: set[int] = set()
        for alias, target in targets:
            if target is None:
                self._outside |= {alias} - {"", "*"}
            elif target.name == "*":
                wide.update(target.files)
            else:
                self._bound[alias].append(target)
        self._neighbours = layout.neighbours(file)
        self._wide = wide - self._neighbours
        self._bases: dict[int, list[str]] = defaultdict(list)
        self._meanings: dict[tuple[object, ...], _Found] = {}
        self._schemas: dict[tuple[str, str], dict[str, list[Definition]]] = {}

    def learn_bases(self, references: Iterable[Reference]) -> None:
        for use in references:
            if use.kind == "inherit" and use.symbol != NOBODY and len(self._bases[use.symbol]) < _MOST_BASES:
                self._bases[use.symbol].append(use.name)

    def meaning(self, use: Reference) -> _Found:
        """Asked once for each name and whatever of its surroundings the answer depends on."""
        receiver = _schema(use.receiver) if self._family == "SQL" else use.receiver
        key = (use.kind, use.name, receiver, *self._surroundings(use))
        found = self._meanings.get(key)
        if found is None:
            found = self._meanings[key] = self._meaning(use)
        return found

    def _surroundings(self, use: Reference) -> tuple[int, ...]:
        """The type around a use of a member of its own, else the symbols around a bare use that define its name."""
        if use.receiver:
            return tuple(self._types_around(use.symbol)[:1]) if _is_itself(use.receiver) else ()
        if use.name not in self._own_names or self._family == "SQL":
            return ()
        candidates = self._candidates(use.name)
        return tuple(number for number in self._around(use.symbol) if candidates.in_place(self._file.id, number))

    def _meaning(self, use: Reference) -> _Found:
        if self._family == "SQL":
            return self._in_schema(use)
        if use.kind in {"inherit", "type"}:
            return self._named(use.name, use.symbol, is_type)
        if use.kind == "name":
            return self._seen(use.name, use.symbol, self._candidates(use.name), is_anything)
        if use.kind in {"read", "write"}:
            return self._named(use.name, use.symbol, is_table)
        if not use.receiver:
            return self._named(use.name, use.symbol, may_be_called)
        return self._member(use)

    def _in_schema(self, use: Reference) -> _Found:
        """`Invoice` is `dbo.Invoice`, or `crm.Invoice` where there is no other; `crm.Invoice` is only itself."""
        candidates = self._candidates(use.name).fitting(IN_SQL.get(use.kind, is_nothing))
        wanted = _schema(use.receiver)
        exact = self._by_schema(use.name, use.kind, candidates).get(wanted, [])
        loose = [] if wanted else candidates.all
        for meant, confidence in ((exact, 0.9), (loose, 0.7)):
            own = [found for found in meant if found.file == self._file.id]
            seen = self._bounded(own, SAME_FILE, 0.95) if own else _by_name(distinct(meant), confidence)
            if seen.definitions:
                return seen
        return _NOTHING

    def _by_schema(self, name: str, kind: str, candidates: Candidates) -> dict[str, list[Definition]]:
        found = self._schemas.get((name, kind))
        if found is None:
            found = self._schemas[name, kind] = defaultdict(list)
            for candidate in candidates.all:
                found[_schema(candidate.qualified.rpartition(".")[0])].append(candidate)
        return found

    def _candidates(self, name: str) -> Candidates:
        """What a name may mean; an extension bears the name of another thing."""
        return self._known.defined(name, self._family)

    def _named(self, name: str, symbol: int, fits: Fits) -> _Found:
        """A bare name: the nearest definition that can be seen from here."""
        named = self._candidates(name)
        candidates = named.fitting(fits)
        seen = self._seen(name, symbol, candidates, fits)
        if seen.definitions or name in self._outside:
            return seen
        own = self._own(symbol, named)  # another name for a type is a value to the grammar
        if own:
            return self._bounded(own, SAME_FILE, 0.9)
        is_bare = self._family in _BARE_MEMBERS  # otherwise a member is named with what it belongs to
        return _by_name((candidates if is_bare else candidates.fitting(stands_alone)).distinct, 0.8)

    def _seen(self, name: str, symbol: int, candidates: Candidates, fits: Fits) -> _Found:
        own = self._own(symbol, candidates)
        if own:
            return self._bounded(own, SAME_FILE, 0.95)
        if name in self._bound:
            brought = [found for found in self._brought(name, candidates) if fits(found)]
            if brought:
                return self._bounded(brought, IMPORT, 0.95)
        reachable = self._open(candidates)
        around = [
            found for files in (self._neighbours, self._wide) for found in reachable.in_files(files, _MOST_NAMED + 1)
        ]
        return _Found(around, IMPORT, 0.85) if 0 < len(around) <= _MOST_NAMED else _NOTHING

    def _own(self, symbol: int, candidates: Candidates) -> Sequence[Definition]:
        """Definitions of this file that a bare name reaches from inside a symbol."""
        here = candidates.in_file(self._file.id)
        if not here:
            return ()
        if self._family == "Haskell":  # a constructor or a method of a class is reached from everywhere
            around = set(self._around(symbol))
            return [c for c in here if c.parent == 0 or c.parent in self._types or c.parent in around]
        reached: list[Definition] = []
        for number in (0, *self._around(symbol)):
            if number not in self._types or self._family in _IMPLICIT:
                reached += candidates.in_place(self._file.id, number)[: MOST_MEANT + 1]
        return reached

    def _brought(self, alias: str, candidates: Candidates) -> list[Definition]:
        found: list[Definition] = []
        for target in self._bound[alias]:
            name = target.name or alias
            meant = candidates if name == alias else self._candidates(name)
            found += self._inside(target.files, name, meant)
        return found

    def _inside(self, files: Sequence[int], name: str, candidates: Candidates) -> list[Definition]:
        """Top-level definitions in these files, or in those that they bring the name in from."""
        if name == "default":
            return []
        looked: set[int] = set()
        wanted = [(number, name) for number in files]
        for _ in range(_DEEPEST_REEXPORT):
            reached = {number for number, called in wanted if called == name}
            found = self._open(candidates).in_files(reached, MOST_MEANT + 1)
            for number, called in wanted:
                if called != name:
                    found += self._open(self._candidates(called)).in_file(number)[: MOST_MEANT + 1]
            if found:
                return found
            looked |= {number for number, _ in wanted}
            wanted = [
                (target, inner if inner not in {"", "*"} else called)
                for number, called in wanted
                for alias in (called, "*")
                for target, inner in self._known.brought(number, alias)
                if target not in looked
            ]
            wanted = list(dict.fromkeys(wanted))
        return []

    def _member(self, use: Reference) -> _Found:
        """A name behind a dot."""
        candidates = self._candidates(use.name)
        if not candidates:
            return _NOTHING
        head, last = use.receiver.lstrip("@").split(".")[0], use.receiver.replace("::", ".").split(".")[-1]
        if _is_itself(use.receiver):
            found = self._of_itself(use, candidates)
        else:
            found = self._of_receiver(use.receiver, head, last, candidates)
        if found.definitions or head in self._outside or use.receiver in self._outside:
            return found
        fits = may_be_accessed if self._family in _ACCESSORS else may_be_called_as_member
        return _by_name(candidates.fitting(fits).distinct, 0.5)

    def _of_itself(self, use: Reference, candidates: Candidates) -> _Found:
        """A method of the type around, or of one that it names as its base."""
        for place in self._types_around(use.symbol)[:1]:
            own = candidates.of_parents({self._symbols[place][0]})
            if own and use.receiver not in _ABOVE:
                return self._bounded(own, SAME_FILE, 0.95)
            elsewhere = [self._symbols[place][1].name] if self._family == "Swift" else []  # in an extension
            for base in (*elsewhere, *self._bases.get(place, ())):
                inherited = self._members(base, place, candidates)
                if inherited.definitions:
                    return inherited
        return _NOTHING

    def _of_receiver(self, receiver: str, head: str, last: str, candidates: Candidates) -> _Found:
        for alias in dict.fromkeys((receiver, head, last)):
            for target in self._bound.get(alias, ()):
                if target.name in {"", "default"}:
                    found = self._open(candidates).in_files(set(target.files), MOST_MEANT + 1)
                    found = found or self._through(target.files, candidates)
                    if found:
                        return self._bounded(found, IMPORT, 0.9)
        named = [*self._candidates(last).fitting(is_module).all]
        if self._family == "Elixir":
            named += self._candidates(receiver).fitting(is_module).all
        inside = candidates.of_parents({found.symbol for found in named})
        return _by_name(distinct(inside), 0.9) if inside else self._members(last, NOBODY, candidates)

    def _members(self, name: str, symbol: int, candidates: Candidates) -> _Found:
        """Those of the candidates that belong to a type of this name, or to an extension of it."""
        holders = self._named(name, symbol, is_type)
        parents = {holder.symbol for holder in holders.definitions}
        parents |= {found.symbol for found in self._known.extended(name, self._family).all}
        members = candidates.of_parents(parents)
        sure = holders if holders.definitions else _Found((), UNIQUE, 0.8)
        return self._bounded(members, sure.how, round(sure.confidence * 0.9, 3)) if members else _NOTHING

    def _through(self, files: Sequence[int], candidates: Candidates) -> list[Definition]:
        """What a module brings in wholesale and so hands on."""
        passed = {target for number in files for target, _ in self._known.brought(number, "*")}
        return self._open(candidates).in_files(passed, MOST_MEANT + 1)

    def _open(self, candidates: Candidates) -> Candidates:
        """Those that can be reached from outside their file by their bare name."""
        return candidates if self._family in _OPEN_TYPES else candidates.fitting(is_outer)

    def _bounded(self, found: Sequence[Definition], how: str, confidence: float) -> _Found:
        """All that is meant; of more than a few, the first of each place; of too many places, one for all of them."""
        if len(found) <= MOST_MEANT:
            return _Found(found, how, confidence)
        groups = distinct(found)
        if len(groups) <= MOST_MEANT:
            return _Found(groups, how, confidence)
        first = min(groups, key=lambda meant: self._known.path(meant.file))
        return _Found([first], AMBIGUOUS, round(0.5 / len(groups), 3))

    def _places(self, symbol: int) -> list[int]:
        places: list[int] = []
        while symbol != NOBODY and len(places) < _DEEPEST_NESTING:
            places.append(symbol)
            symbol = self._symbols[symbol][1].parent
        return places

    def _around(self, symbol: int) -> list[int]:
        return [self._symbols[place][0] for place in self._places(symbol)]

    def _types_around(self, symbol: int) -> list[int]:
        return [place for place in self._places(symbol) if self._symbols[place][1].kind in TYPES]


def _is_itself(receiver: str) -> bool:
    return "." not in receiver and receiver.lstrip("@") in _ITSELF


def _schema(path: str) -> str:
    """The schema of `server.database.schema`, "" where it goes without saying."""
    schema = path.rpartition(".")[2].lower()
    return "" if schema in _USUAL_SCHEMAS else schema


def _by_name(candidates: Sequence[Definition], confidence: float) -> _Found:
    """One definition is meant, a few may be, and of many nobody knows."""
    if len(candidates) == 1:
        return _Found(candidates, UNIQUE, confidence)
    if 1 < len(candidates) <= _MOST_NAMED:
        return _Found(candidates, AMBIGUOUS, round(0.5 / len(candidates), 3))
    return _NOTHING


def _joined(one: Edge, other: Edge) -> Edge:
    surer = one if one.confidence >= other.confidence else other
    return surer._replace(line=min(one.line, other.line), times=one.times + other.times)
