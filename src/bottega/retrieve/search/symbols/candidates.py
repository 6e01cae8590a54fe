"""The symbols among which the second stage chooses: the units of the best files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.index import SymbolRow, kind_weight
from bottega.retrieve.search.corpus import Corpus

Ints = NDArray[np.int64]
Arrays = Mapping[str, NDArray[Any]]
_VALUE = 1


@dataclass(frozen=True)
class CandidateFile:
    """A file with its arrays: it is `document` in its segment. `first` is the number of its first unit."""

    number: int
    arrays: Arrays
    document: int
    first: int
    symbols: Sequence[SymbolRow]

    @cached_property
    def units(self) -> slice:
        return slice(int(self.arrays["unit.at"][self.document]), int(self.arrays["unit.at"][self.document + 1]))

    @property
    def size(self) -> int:
        return int(self.units.stop - self.units.start)


@dataclass(frozen=True)
class Candidates:
    """The units of some files, numbered in the order of the files, then of their lines."""

    corpus: Corpus
    files: Sequence[CandidateFile]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @cached_property
    def first(self) -> Ints:
        return self._join("unit.first")

    @cached_property
    def last(self) -> Ints:
        return self._join("unit.last")

    @cached_property
    def file_rank(self) -> Ints:
        """For each unit the place of its file in `files`."""
        return np.repeat(np.arange(len(self.files)), [file.size for file in self.files])

    @cached_property
    def symbols(self) -> list[SymbolRow | None]:
        """The symbol of each unit, `None` for the module level."""
        return [
            file.symbols[ordinal] if 0 <= ordinal < len(file.symbols) else None
            for file in self.files
            for ordinal in file.arrays["unit.symbol"][file.units].tolist()
        ]

    @cached_property
    def are_blocks(self) -> NDArray[np.bool_]:
        """Functions, types and sections; not constants and the module level. All units where none is one."""
        found = np.array([_is_block(symbol) for symbol in self.symbols], bool)
        return found if found.any() else np.ones(self.size, bool)

    def _join(self, name: str) -> Ints:
        columns = [file.arrays[name][file.units] for file in self.files]
        return np.concatenate([np.zeros(0, np.int64), *columns]).astype(np.int64)


def _is_block(symbol: SymbolRow | None) -> bool:
    return symbol is not None and (kind_weight(symbol.kind) > _VALUE or symbol.kind == "section")


def collect_candidates(corpus: Corpus, files: Sequence[int]) -> Candidates:
    """The units of files, given by number in the order of their rank."""
    base = corpus.snapshot.base
    collected: list[CandidateFile] = []
    first = 0
    for number in files:
        arrays, document = corpus.find_document(number)
        symbols = base.get_symbols_for_file(corpus.snapshot.files[number].id)
        file = CandidateFile(number, arrays, document, first, symbols)
        first += file.size
        collected.append(file)
    return Candidates(corpus, collected)
