"""The result of resolving a use: definitions, method and confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bottega.index.resolve.candidates import Candidates, Definition

# A bare use of a name with more distinct definitions than this is not resolved.
MOST_NAMED = 5
SAME_FILE, IMPORT, UNIQUE, AMBIGUOUS = "same file", "import", "unique name", "ambiguous"


class Edge(NamedTuple):
    """An edge from a symbol, or from the file if `source` is 0."""

    source: int
    target_file: int
    target: int
    kind: str
    how: str
    confidence: float
    line: int
    times: int


class DefinitionSource(Protocol):
    """Provides the definitions and imports of other files."""

    def find_definitions(self, name: str, family: str) -> Candidates:
        """Every definition of a name in one language family; extensions do not count."""

    def find_extensions(self, name: str, family: str) -> Candidates:
        """Every extension of a type of this name."""

    def find_imports(self, file: int, alias: str) -> Sequence[tuple[int, str]]:
        """Imports of a file under this alias, or its wildcard imports for "*": target file and name there."""

    def path(self, file: int) -> str:
        """The path of a file, to sort by: ids depend on the order in which files were read."""


class Resolution(NamedTuple):
    """The definitions that a use may mean."""

    definitions: Sequence[Definition]
    how: str
    confidence: float


UNRESOLVED = Resolution((), "", 0.0)


def resolve_by_name(candidates: Sequence[Definition], confidence: float) -> Resolution:
    """One candidate is unique, a few are ambiguous, many are unresolved."""
    if len(candidates) == 1:
        return Resolution(candidates, UNIQUE, confidence)
    if 1 < len(candidates) <= MOST_NAMED:
        return Resolution(candidates, AMBIGUOUS, round(0.5 / len(candidates), 3))
    return UNRESOLVED
