"""The definitions of one name, indexed by file, parent and kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

# Up to so many definitions, a scan is cheaper than an index.
_FEW = 24
# A use with more equally good candidates than this is ambiguous: one edge stands for all of them.
MOST_MEANT = 16


class Definition(NamedTuple):
    """A symbol as a candidate. `parent` is the id of the enclosing symbol, 0 at the top of a file."""

    symbol: int
    file: int
    kind: str
    parent: int
    family: str
    qualified: str = ""


Fits = Callable[[Definition], bool]
_Key = TypeVar("_Key")


class Candidates:
    """Every definition of a name in one family of languages, by file and by their order in it.

    The cost of a lookup is proportional to its result, so that a name with thousands of definitions and thousands
    of uses costs their sum and not their product.
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.all = definitions
        self._fitting: dict[Fits, Candidates] = {}

    def __bool__(self) -> bool:
        return bool(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def filter_by(self, fits: Fits) -> Candidates:
        """Candidates that a predicate accepts. Results are cached by predicate, so use module-level functions only."""
        found = self._fitting.get(fits)
        if found is None:
            chosen = [candidate for candidate in self.all if fits(candidate)]
            found = self._fitting[fits] = self if len(chosen) == len(self.all) else Candidates(chosen)
        return found

    def find_in_file(self, file: int) -> Sequence[Definition]:
        if len(self.all) <= _FEW:
            return [candidate for candidate in self.all if candidate.file == file]
        return self.by_file.get(file, ())

    def find_in_files(self, files: Collection[int], most: int | None = None) -> list[Definition]:
        """Candidates in some files, at most `most` of each."""
        if len(self.all) <= _FEW:
            return [candidate for candidate in self.all if candidate.file in files]
        near = files if len(files) < len(self.by_file) else [file for file in self.by_file if file in files]
        return [candidate for file in near for candidate in self.by_file.get(file, ())[:most]]

    def find_in_place(self, file: int, parent: int) -> Sequence[Definition]:
        """Candidates of a file whose parent is this symbol; 0 is the top level."""
        if len(self.all) <= _FEW:
            return [candidate for candidate in self.all if candidate.parent == parent and candidate.file == file]
        return self._by_place.get((file, parent), ())

    def find_in_parents(self, parents: Collection[int]) -> list[Definition]:
        """Candidates whose parent is one of these symbols."""
        if len(self.all) <= max(_FEW, len(parents)):
            return [candidate for candidate in self.all if candidate.parent in parents]
        return [candidate for parent in parents if parent for candidate in self._by_parent.get(parent, ())]

    @cached_property
    def distinct(self) -> Sequence[Definition]:
        """Of several that share file, place and name, the first."""
        return deduplicate(self.all)

    @cached_property
    def by_file(self) -> Mapping[int, Sequence[Definition]]:
        return _group(self.all, lambda candidate: candidate.file)

    @cached_property
    def _by_place(self) -> Mapping[tuple[int, int], Sequence[Definition]]:
        return _group(self.all, lambda candidate: (candidate.file, candidate.parent))

    @cached_property
    def _by_parent(self) -> Mapping[int, Sequence[Definition]]:
        return _group(self.all, lambda candidate: candidate.parent)


NO_CANDIDATES = Candidates(())


def deduplicate(definitions: Sequence[Definition]) -> Sequence[Definition]:
    """Of several that share file, place and name, the first."""
    if len(definitions) < 2:
        return definitions
    first: dict[tuple[int, int, str, str], Definition] = {}
    for definition in definitions:
        first.setdefault((definition.file, definition.parent, definition.qualified, definition.kind), definition)
    return list(first.values())


def _group(definitions: Sequence[Definition], key: Callable[[Definition], _Key]) -> Mapping[_Key, list[Definition]]:
    groups: dict[_Key, list[Definition]] = defaultdict(list)
    for definition in definitions:
        groups[key(definition)].append(definition)
    return groups
