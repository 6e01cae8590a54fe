"""Which definition a use means: in the same file, through an import, by a name that only one thing has, or perhaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from posixpath import dirname
from typing import NamedTuple, Protocol

from bottega.index.analyse import NOBODY, Reference, Symbol
from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.imports import Target
from bottega.index.resolve.layout import FileName, Layout, family, swift_target

_ITSELF = frozenset({"self", "this", "cls", "super", "Self", "static", "parent", "@self", "base", "super()", "$this"})
_ABOVE = frozenset({"super", "parent", "base", "super()"})
# Languages in which a method calls another one of its type without saying so.
_IMPLICIT = frozenset({"jvm", "C#", "c", "Swift", "Ruby"})
# Languages in which the import of a file or a type brings its members within reach.
_OPEN_TYPES = frozenset({"C#", "jvm", "c", "Rust", "Ruby", "PHP", "Elixir", "Scala", "Haskell"})
_KINDS_OF_TYPES = TYPES | {"type", "module"}
# What a use means in SQL, and schemas that people leave out.
_IN_SQL = {
    **dict.fromkeys(["read", "write"], frozenset({"table", "view"})),
    "call": frozenset({"procedure"}),
    "type": frozenset({"table", "view", "type"}),
}
_USUAL_SCHEMAS = frozenset({"", "dbo", "public"})
_NEVER_CALLED = frozenset({"field", "property", "column", "section", "index"})
# Languages in which a field is read by a call of its name: records of Java, values of Scala, readers of Ruby.
_ACCESSORS = frozenset({"jvm", "Ruby"})
_MEMBERS = frozenset({"method", "constructor", "field", "property", "variable", "constant"})
# Languages in which a bare name reaches members: inherited ones, constructors of values, or those of a module.
_BARE_MEMBERS = _IMPLICIT | {"Haskell", "Elixir", "PHP"}
_MOST_MEANT = 5
_DEEPEST_NESTING = 64
_DEEPEST_REEXPORT = 4
_KIND = {"call": "calls", "inherit": "inherits", "type": "uses", "name": "refers", "read": "reads", "write": "writes"}

SAME_FILE, IMPORT, UNIQUE, AMBIGUOUS = "same file", "import", "unique name", "ambiguous"


class Definition(NamedTuple):
    """A symbol as a candidate. `parent` is the id of the enclosing symbol, 0 at the top of a file."""

    symbol: int
    file: int
    kind: str
    parent: int
    family: str
    qualified: str = ""


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

    def defined(self, name: str, family: str) -> Sequence[Definition]:
        """Every definition of a name in one family of languages; extensions define nothing."""

    def extended(self, name: str, family: str) -> Sequence[Definition]:
        """Every extension of a type of this name."""

    def brought(self, file: int, alias: str) -> Sequence[tuple[int, str]]:
        """What a file's imports call `alias`, or bring in wholesale for "*": target file and name there."""


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
        self._wide = wide | _neighbours(layout, file)
        self._bases: dict[int, list[str]] = defaultdict(list)
        self._meanings: dict[tuple[str, str, str], _Found] = {}

    def learn_bases(self, references: Iterable[Reference]) -> None:
        for use in references:
            if use.kind == "inherit" and use.symbol != NOBODY:
                self._bases[use.symbol].append(use.name)

    def meaning(self, use: Reference) -> _Found:
        """Asked once for each name that this file does not define: what that means does not depend on the place."""
        if use.receiver in _ITSELF or use.name in self._own_names:
            return self._meaning(use)
        key = (use.kind, use.name, use.receiver)
        found = self._meanings.get(key)
        if found is None:
            found = self._meanings[key] = self._meaning(use)
        return found

    def _meaning(self, use: Reference) -> _Found:
        if self._family == "SQL":
            return self._in_schema(use)
        if use.kind in {"inherit", "type"}:
            return self._named(use.name, use.symbol, lambda d: d.kind in _KINDS_OF_TYPES)
        if use.kind == "name":
            return self._plain_mention(use)
        if use.kind in {"read", "write"}:
            return self._named(use.name, use.symbol, lambda d: d.kind in {"table", "view"})
        if not use.receiver:
            return self._named(use.name, use.symbol, lambda d: d.kind not in _NEVER_CALLED)
        return self._member(use)

    def _in_schema(self, use: Reference) -> _Found:
        """`Invoice` is `dbo.Invoice`, or `crm.Invoice` where there is no other; `crm.Invoice` is only itself."""
        candidates = [found for found in self._candidates(use.name) if found.kind in _IN_SQL.get(use.kind, ())]
        wanted = _schema(use.receiver)
        exact = [found for found in candidates if _schema(found.qualified.rpartition(".")[0]) == wanted]
        loose = [] if wanted else candidates
        for meant, confidence in ((exact, 0.9), (loose, 0.7)):
            own = [found for found in meant if found.file == self._file.id]
            seen = _Found(own, SAME_FILE, 0.95) if own else _by_name(meant, confidence)
            if seen.definitions:
                return seen
        return _NOTHING

    def _candidates(self, name: str) -> Sequence[Definition]:
        """What a name may mean; an extension bears the name of another thing."""
        return self._known.defined(name, self._family)

    def _named(self, name: str, symbol: int, fits: Callable[[Definition], bool]) -> _Found:
        """A bare name: the nearest definition that can be seen from here."""
        named = self._candidates(name)
        candidates = [found for found in named if fits(found)]
        seen = self._seen(name, symbol, candidates, fits)
        if seen.definitions or name in self._outside:
            return seen
        own = self._own(symbol, named)  # another name for a type is a value to the grammar
        if own:
            return _Found(own, SAME_FILE, 0.9)
        return _by_name([found for found in candidates if self._stands_alone(found)], 0.8)

    def _stands_alone(self, found: Definition) -> bool:
        """Whether a bare name may mean a definition elsewhere: a member has to be named with what it belongs to."""
        return found.parent == 0 or found.kind not in _MEMBERS or self._family in _BARE_MEMBERS

    def _plain_mention(self, use: Reference) -> _Found:
        return self._seen(use.name, use.symbol, self._candidates(use.name), lambda _: True)

    def _seen(
        self, name: str, symbol: int, candidates: Sequence[Definition], fits: Callable[[Definition], bool]
    ) -> _Found:
        own = self._own(symbol, candidates)
        if own:
            return _Found(own, SAME_FILE, 0.95)
        if name in self._bound:
            brought = [found for found in self._brought(name, candidates) if fits(found)]
            if brought:
                return _Found(brought, IMPORT, 0.95)
        around = [found for found in candidates if found.file in self._wide and self._is_open(found)]
        return _Found(around, IMPORT, 0.85) if 0 < len(around) <= _MOST_MEANT else _NOTHING

    def _own(self, symbol: int, candidates: Sequence[Definition]) -> list[Definition]:
        """Definitions of this file that a bare name reaches from inside a symbol."""
        around = set(self._around(symbol))
        reached = []
        for found in candidates:
            if found.file != self._file.id:
                continue
            is_member = found.parent in self._types
            is_outer = found.parent == 0 or (is_member and self._family == "Haskell")  # a constructor, a class method
            if is_outer or (found.parent in around and (not is_member or self._family in _IMPLICIT)):
                reached.append(found)
        return reached

    def _brought(self, alias: str, candidates: Sequence[Definition]) -> list[Definition]:
        found: list[Definition] = []
        for target in self._bound[alias]:
            name = target.name or alias
            meant = candidates if name == alias else self._candidates(name)
            found += self._inside(target.files, name, meant)
        return found

    def _inside(self, files: Sequence[int], name: str, candidates: Sequence[Definition]) -> list[Definition]:
        """Top-level definitions in these files, or in those that they bring the name in from."""
        if name == "default":
            return []
        looked: set[int] = set()
        wanted = [(number, name) for number in files]
        for _ in range(_DEEPEST_REEXPORT):
            reached = {number for number, called in wanted if called == name}
            found = [c for c in candidates if c.file in reached and self._is_open(c)]
            for number, called in wanted:
                if called != name:
                    found += [c for c in self._candidates(called) if c.file == number and self._is_open(c)]
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
        return []

    def _member(self, use: Reference) -> _Found:
        """A name behind a dot."""
        candidates = self._candidates(use.name)
        if not candidates:
            return _NOTHING
        head, last = use.receiver.lstrip("@").split(".")[0], use.receiver.replace("::", ".").split(".")[-1]
        if head in _ITSELF and "." not in use.receiver:
            found = self._of_itself(use, candidates)
        else:
            found = self._of_receiver(use.receiver, head, last, candidates)
        if found.definitions or head in self._outside or use.receiver in self._outside:
            return found
        called = [c for c in candidates if c.kind not in _NEVER_CALLED or self._family in _ACCESSORS]
        return _by_name([c for c in called if c.kind != "variable"], 0.5)

    def _of_itself(self, use: Reference, candidates: Sequence[Definition]) -> _Found:
        """A method of the type around, or of one that it names as its base."""
        places = self._places(use.symbol)
        types = [place for place in places if self._symbols[place][1].kind in TYPES]
        for place in types[:1]:
            own = [c for c in candidates if c.parent == self._symbols[place][0]]
            if own and use.receiver not in _ABOVE:
                return _Found(own, SAME_FILE, 0.95)
            elsewhere = [self._symbols[place][1].name] if self._family == "Swift" else []  # in an extension
            for base in (*elsewhere, *self._bases.get(place, ())):
                inherited = self._members(base, place, candidates)
                if inherited.definitions:
                    return inherited
        return _NOTHING

    def _of_receiver(self, receiver: str, head: str, last: str, candidates: Sequence[Definition]) -> _Found:
        for alias in dict.fromkeys((receiver, head, last)):
            for target in self._bound.get(alias, ()):
                if target.name in {"", "default"}:
                    name_here = [c for c in candidates if c.file in target.files and self._is_open(c)]
                    found = name_here or self._through(target.files, candidates)
                    if found:
                        return _Found(found, IMPORT, 0.9)
        named = [*self._candidates(last), *(self._candidates(receiver) if self._family == "Elixir" else ())]
        spaces = {found.symbol for found in named if found.kind == "module"}
        inside = [c for c in candidates if c.parent in spaces]
        return _by_name(inside, 0.9) if inside else self._members(last, NOBODY, candidates)

    def _members(self, name: str, symbol: int, candidates: Sequence[Definition]) -> _Found:
        """Those of the candidates that belong to a type of this name, or to an extension of it."""
        holders = self._named(name, symbol, lambda d: d.kind in _KINDS_OF_TYPES)
        parents = {holder.symbol for holder in holders.definitions}
        parents |= {found.symbol for found in self._known.extended(name, self._family)}
        members = [c for c in candidates if c.parent in parents]
        sure = holders if holders.definitions else _Found((), UNIQUE, 0.8)
        return _Found(members, sure.how, round(sure.confidence * 0.9, 3)) if members else _NOTHING

    def _through(self, files: Sequence[int], candidates: Sequence[Definition]) -> list[Definition]:
        """What a module brings in wholesale and so hands on."""
        passed = {target for number in files for target, _ in self._known.brought(number, "*")}
        return [c for c in candidates if c.file in passed and self._is_open(c)]

    def _is_open(self, found: Definition) -> bool:
        """Whether a definition can be reached from outside its file by its bare name."""
        return found.parent == 0 or self._family in _OPEN_TYPES

    def _places(self, symbol: int) -> list[int]:
        places: list[int] = []
        while symbol != NOBODY and len(places) < _DEEPEST_NESTING:
            places.append(symbol)
            symbol = self._symbols[symbol][1].parent
        return places

    def _around(self, symbol: int) -> list[int]:
        return [self._symbols[place][0] for place in self._places(symbol)]


def _neighbours(layout: Layout, file: FileName) -> set[int]:
    """Files whose definitions are seen without an import: of the same package or namespace."""
    if file.language == "Go":
        return set(layout.folders.get(dirname(file.path), ()))
    if file.language == "Swift":
        return set(layout.swift_targets.get(swift_target(file.path), ()))
    if file.language == "C#":
        return {number for space in _enclosing(file.namespace) for number in layout.namespaces.get(("C#", space), ())}
    if file.namespace and family(file.language) in {"jvm", "PHP"}:
        return set(layout.namespaces.get((family(file.language), file.namespace), ()))
    return set()


def _enclosing(namespace: str) -> list[str]:
    """A namespace and those around it: what is in A is seen from A.B."""
    parts = namespace.split(".") if namespace else []
    return [".".join(parts[:length]) for length in range(len(parts), 0, -1)]


def _schema(path: str) -> str:
    """The schema of `server.database.schema`, "" where it goes without saying."""
    schema = path.rpartition(".")[2].lower()
    return "" if schema in _USUAL_SCHEMAS else schema


def _by_name(found: Sequence[Definition], confidence: float) -> _Found:
    """Of several that share file, place and name, the first stands for all."""
    candidates = list({(c.file, c.parent, c.qualified, c.kind): c for c in reversed(found)}.values())
    if len(candidates) == 1:
        return _Found(candidates, UNIQUE, confidence)
    if 1 < len(candidates) <= _MOST_MEANT:
        return _Found(candidates, AMBIGUOUS, round(0.5 / len(candidates), 3))
    return _NOTHING


def _joined(one: Edge, other: Edge) -> Edge:
    surer = one if one.confidence >= other.confidence else other
    return surer._replace(line=min(one.line, other.line), times=one.times + other.times)
