"""A task for which context is assembled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ContextTask:
    """A task in words; `files` and `symbols` are named beside it, by a plan or by a request for more context.

    `mode` and `fusion` say how files are found, as in a search; their symbols are ranked alike. `votes` of a
    model, between 0 and 1 by path, raise files; symbols that it `refused`, by key, are shown only where they are named.
    Without `by_history`, commit messages say nothing: a task that is one would find itself.
    """

    text: str
    files: Sequence[str] = ()
    symbols: Sequence[str] = ()
    mode: str = "hybrid"
    fusion: str = "weighted"
    votes: Mapping[str, float] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    by_history: bool = True
