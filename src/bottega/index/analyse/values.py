"""The result of analysing one file, which depends on its bytes and its language alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Part of the cache key of an analysis: raise it whenever the same bytes give another result.
VERSION = 10
NOBODY = -1  # stands for the file itself where there is no symbol


class Depth(StrEnum):
    """How completely a file was parsed."""

    PARSED = "parsed"
    PARTLY = "partly parsed"
    TEXT = "text"


class Symbol(NamedTuple):
    """A definition. `parent` is the index of the enclosing one in the list, `qualified` its path inside the file."""

    name: str
    kind: str
    qualified: str
    first: int
    last: int
    parent: int
    signature: str


class Reference(NamedTuple):
    """A name used inside `symbol`, `times` times, first on `line`; `receiver` is the expression before the dot."""

    name: str
    kind: str
    receiver: str
    line: int
    symbol: int
    times: int


class Import(NamedTuple):
    """An imported name. `name` is "" for a whole module and "*" for everything in it; `alias` is its local name."""

    module: str
    name: str
    alias: str
    line: int


class Docstring(NamedTuple):
    symbol: int
    text: str
    style: str


class Comment(NamedTuple):
    line: int
    text: str
    kind: str
    is_rationale: bool
    symbol: int


class Chunk(NamedTuple):
    """Lines that search ranks as one; `symbol` is the definition that they open or belong to.

    `hash` is that of their text.
    """

    first: int
    last: int
    symbol: int
    hash: int


class Unit(NamedTuple):
    """Lines that search ranks as one symbol; `symbol` is its place in the list, `NOBODY` for the module level."""

    first: int
    last: int
    symbol: int


class Bags(NamedTuple):
    """Term counts of several texts: text `n` has the entries from `at[n]` to `at[n + 1]`; `term` indexes the terms."""

    at: NDArray[np.uint32]
    term: NDArray[np.uint32]
    times: NDArray[np.uint16]


class Words(NamedTuple):
    """The words of a file: of its chunks, of the names defined in them, of its first lines, and of its units.

    `units` holds four texts for each unit: its code, its comments, its name, and the names of what it lies in.
    `defined` holds the parts of all names defined, `exact` the names as they are, `loose` without case and `_`.
    """

    terms: NDArray[np.uint64]
    chunks: Bags
    names: Bags
    head: Bags
    defined: Bags
    exact: Bags
    loose: Bags
    units: Bags


@dataclass(frozen=True, slots=True)
class Grams:
    """Hashed pairs and triples of adjacent words; `units` holds the pairs of each unit, `pair << 16 | unit`, sorted."""

    two: NDArray[np.uint32]
    three: NDArray[np.uint32]
    units: NDArray[np.uint64]


_NO_BAGS = Bags(np.zeros(1, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint16))
NO_WORDS = Words(np.zeros(0, np.uint64), *(_NO_BAGS,) * 7)
NO_GRAMS = Grams(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint64))
UNIT_FIELDS = ("code", "comment", "name", "owner")


class Wording(NamedTuple):
    """What search needs of a file."""

    chunks: tuple[Chunk, ...]
    words: Words
    grams: Grams
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    depth: Depth
    lines: int
    namespace: str = ""
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    docstrings: tuple[Docstring, ...] = ()
    comments: tuple[Comment, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    words: Words = field(default=NO_WORDS)
    grams: Grams = field(default=NO_GRAMS)
    units: tuple[Unit, ...] = ()
