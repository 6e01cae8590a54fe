"""What `ask` needs from the house, handed in by the workshop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bottega.journal import Chats
from bottega.pipeline import Run
from bottega.retrieve.package import Piece
from bottega.source import Span


class Knowledge(Protocol):
    """One repository as it is now."""

    def renew(self) -> None:
        """Before the first question of a run."""

    def lacks_vectors(self) -> bool:
        """Whether some pieces cannot be found by meaning yet."""

    def search(self, mode: str, query: str, limit: int) -> list[Piece]:
        """Places that match, best first."""

    def around(self, keys: Sequence[str], *, depth: int, most: int, kinds: Sequence[str]) -> dict[str, list[str]]:
        """`nodes`: keys near these, nearest first; `relations`: one line for each edge."""

    def texts(self, keys: Sequence[str]) -> list[Piece]:
        """The bodies of nodes, by identity."""

    def lines(self, span: Span) -> str | None:
        """Lines of an indexed file as they lie on the disk, `None` when there is no such place."""

    def owner(self, span: Span) -> str:
        """The qualified name of what lines belong to, "" for none."""

    def facts(self, piece: Piece) -> dict[str, Any]:
        """What the index knows of a place: docstring, callers, callees, last change."""

    def standing(self) -> dict[str, Any]:
        """How fresh the index is: `text`, `commit`, `branch`, `dirty`."""


@dataclass(frozen=True, slots=True)
class AskTools:
    """`open` opens a repository by the name that pipelines use; "" is the one at hand."""

    open: Callable[[str], Knowledge]
    chats: Chats


AskRun = Run[AskTools]
