"""Resolve bare names in a file: by its own definitions, its imports, and files of the same package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bottega.index.analyse import NOBODY, Symbol
from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.candidates import MOST_MEANT, Candidates, Definition, Fits, deduplicate
from bottega.index.resolve.fitting import is_outer, stands_alone
from bottega.index.resolve.imports import Target
from bottega.index.resolve.layout import FileName, Layout, family
from bottega.index.resolve.resolution import (
    AMBIGUOUS,
    IMPORT,
    MOST_NAMED,
    SAME_FILE,
    UNRESOLVED,
    DefinitionSource,
    Resolution,
    resolve_by_name,
)

# Languages in which a method calls another one of its type without a receiver.
_IMPLICIT = frozenset({"jvm", "C#", "c", "Swift", "Ruby"})
# Languages in which importing a file or a type makes its members visible as bare names.
_OPEN_TYPES = frozenset({"C#", "jvm", "c", "Rust", "Ruby", "PHP", "Elixir", "Scala", "Haskell"})
# Languages in which a bare name may be a member: inherited, a data constructor, or of a module.
_BARE_MEMBERS = _IMPLICIT | {"Haskell", "Elixir", "PHP"}
_DEEPEST_NESTING = 64
_DEEPEST_REEXPORT = 4


class Scope:
    """The names that are visible in a file."""

    def __init__(
        self,
        layout: Layout,
        known: DefinitionSource,
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
        self._neighbours = layout.find_neighbours(file)
        self._wide = wide - self._neighbours

    def _get_candidates(self, name: str) -> Candidates:
        """Definitions of a name; an extension is none."""
        return self._known.find_definitions(name, self._family)

    def _resolve_named(self, name: str, symbol: int, fits: Fits) -> Resolution:
        """Resolve a bare name to the nearest visible definition."""
        named = self._get_candidates(name)
        candidates = named.filter_by(fits)
        seen = self._resolve_bare_name(name, symbol, candidates, fits)
        if seen.definitions or name in self._outside:
            return seen
        own = self._find_own(symbol, named)  # grammars read a type alias as a value
        if own:
            return self._limit_candidates(own, SAME_FILE, 0.9)
        is_bare = self._family in _BARE_MEMBERS  # otherwise a member needs a receiver
        return resolve_by_name((candidates if is_bare else candidates.filter_by(stands_alone)).distinct, 0.8)

    def _resolve_bare_name(self, name: str, symbol: int, candidates: Candidates, fits: Fits) -> Resolution:
        own = self._find_own(symbol, candidates)
        if own:
            return self._limit_candidates(own, SAME_FILE, 0.95)
        if name in self._bound:
            brought = [definition for definition in self._find_imported(name, candidates) if fits(definition)]
            if brought:
                return self._limit_candidates(brought, IMPORT, 0.95)
        reachable = self._filter_reachable(candidates)
        around = [
            definition
            for files in (self._neighbours, self._wide)
            for definition in reachable.find_in_files(files, MOST_NAMED + 1)
        ]
        return Resolution(around, IMPORT, 0.85) if 0 < len(around) <= MOST_NAMED else UNRESOLVED

    def _find_own(self, symbol: int, candidates: Candidates) -> Sequence[Definition]:
        """Definitions of this file that are visible by bare name inside a symbol."""
        here = candidates.find_in_file(self._file.id)
        if not here:
            return ()
        if self._family == "Haskell":  # constructors and class methods are visible everywhere
            around = set(self._list_enclosing(symbol))
            return [c for c in here if c.parent == 0 or c.parent in self._types or c.parent in around]
        reached: list[Definition] = []
        for number in (0, *self._list_enclosing(symbol)):
            if number not in self._types or self._family in _IMPLICIT:
                reached += candidates.find_in_place(self._file.id, number)[: MOST_MEANT + 1]
        return reached

    def _find_imported(self, alias: str, candidates: Candidates) -> list[Definition]:
        found: list[Definition] = []
        for target in self._bound[alias]:
            name = target.name or alias
            meant = candidates if name == alias else self._get_candidates(name)
            found += self._find_in_files(target.files, name, meant)
        return found

    def _find_in_files(self, files: Sequence[int], name: str, candidates: Candidates) -> list[Definition]:
        """Top-level definitions in these files, or in files that they import the name from."""
        if name == "default":
            return []
        looked: set[int] = set()
        wanted = [(number, name) for number in files]
        for _ in range(_DEEPEST_REEXPORT):
            reached = {number for number, called in wanted if called == name}
            found = self._filter_reachable(candidates).find_in_files(reached, MOST_MEANT + 1)
            for number, called in wanted:
                if called != name:
                    found += self._filter_reachable(self._get_candidates(called)).find_in_file(number)[: MOST_MEANT + 1]
            if found:
                return found
            looked |= {number for number, _ in wanted}
            wanted = [
                (target, inner if inner not in {"", "*"} else called)
                for number, called in wanted
                for alias in (called, "*")
                for target, inner in self._known.find_imports(number, alias)
                if target not in looked
            ]
            wanted = list(dict.fromkeys(wanted))
        return []

    def _find_reexported(self, files: Sequence[int], candidates: Candidates) -> list[Definition]:
        """Definitions re-exported by wildcard."""
        passed = {target for number in files for target, _ in self._known.find_imports(number, "*")}
        return self._filter_reachable(candidates).find_in_files(passed, MOST_MEANT + 1)

    def _filter_reachable(self, candidates: Candidates) -> Candidates:
        """Candidates that are visible by bare name outside of their file."""
        return candidates if self._family in _OPEN_TYPES else candidates.filter_by(is_outer)

    def _limit_candidates(self, found: Sequence[Definition], how: str, confidence: float) -> Resolution:
        """Cap candidates: all, one per place, or one ambiguous edge."""
        if len(found) <= MOST_MEANT:
            return Resolution(found, how, confidence)
        groups = deduplicate(found)
        if len(groups) <= MOST_MEANT:
            return Resolution(groups, how, confidence)
        first = min(groups, key=lambda meant: self._known.path(meant.file))
        return Resolution([first], AMBIGUOUS, round(0.5 / len(groups), 3))

    def _list_places(self, symbol: int) -> list[int]:
        places: list[int] = []
        while symbol != NOBODY and len(places) < _DEEPEST_NESTING:
            places.append(symbol)
            symbol = self._symbols[symbol][1].parent
        return places

    def _list_enclosing(self, symbol: int) -> list[int]:
        return [self._symbols[place][0] for place in self._list_places(symbol)]

    def _list_enclosing_types(self, symbol: int) -> list[int]:
        return [place for place in self._list_places(symbol) if self._symbols[place][1].kind in TYPES]
