"""What a use may mean, how that was found out, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bottega.index.resolve.candidates import Candidates, Definition

# More distinct definitions of a name than this, and its bare use says nothing.
MOST_NAMED = 5
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


class DefinitionSource(Protocol):
    """What is known of the other files."""

    def find_definitions(self, name: str, family: str) -> Candidates:
        """Every definition of a name in one family of languages; extensions define nothing."""

    def find_extensions(self, name: str, family: str) -> Candidates:
        """Every extension of a type of this name."""

    def find_imports(self, file: int, alias: str) -> Sequence[tuple[int, str]]:
        """What a file's imports call `alias`, or bring in wholesale for "*": target file and name there."""

    def path(self, file: int) -> str:
        """Where a file lies: the order of paths does not depend on the order in which files were read."""


class Resolution(NamedTuple):
    """The definitions that a use may mean."""

    definitions: Sequence[Definition]
    how: str
    confidence: float


UNRESOLVED = Resolution((), "", 0.0)


def resolve_by_name(candidates: Sequence[Definition], confidence: float) -> Resolution:
    """One definition is meant, a few may be, and of many nobody knows."""
    if len(candidates) == 1:
        return Resolution(candidates, UNIQUE, confidence)
    if 1 < len(candidates) <= MOST_NAMED:
        return Resolution(candidates, AMBIGUOUS, round(0.5 / len(candidates), 3))
    return UNRESOLVED
