"""The tools of the `ask` actions: the type of `run.tools`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bottega.journal import ChatStore, FactStore
from bottega.pipeline import Run
from bottega.retrieve.context import ContextPackage, ContextTask, ContextUnit, FileOutline
from bottega.settings import Budget
from bottega.source import Span


class RepositoryView(Protocol):
    """A repository as a run reads it: one snapshot of the index for the whole run, and lines as they are on disk."""

    def assemble(self, task: ContextTask, tokens: int, count: Callable[[str], int]) -> ContextPackage:
        """What a model may read for a task, within so many tokens."""

    def outline(self, task: ContextTask) -> list[FileOutline]:
        """The first files for a task, by path and matching signatures."""

    def find_neighbourhood(
        self, keys: Sequence[str], *, depth: int, most: int, kinds: Sequence[str]
    ) -> dict[str, list[str]]:
        """`nodes`: keys of nodes near these, the nearest first; `relations`: one line for each edge."""

    def texts(self, keys: Sequence[str]) -> list[ContextUnit]:
        """The source text of the nodes with these keys."""

    def lines(self, span: Span) -> str | None:
        """Lines of an indexed file as they are on disk; `None` when the file or the lines do not exist."""

    def owner(self, span: Span) -> str:
        """The qualified name of the symbol that contains a span; "" when there is none."""

    def find_similar(self, sentence: str) -> list[Span]:
        """The symbols that match a sentence best."""

    def extend(self, span: Span) -> Span:
        """The lines of the whole signature that begins at a span; the span itself where none does."""

    def is_defined(self, name: str) -> bool:
        """Whether some code here defines a name."""

    def facts(self, unit: ContextUnit) -> dict[str, Any]:
        """What the index records about a unit: docstring, callers, callees, last change."""

    def freshness(self) -> dict[str, Any]:
        """The state that the index was built from: `text`, `commit`, `branch`, `dirty`."""


@dataclass(frozen=True, slots=True)
class AskTools:
    """`open` opens a repository by its name in `ask.repositories`; "" is the current repository.

    `budget` says how much of a window evidence may take; `read_prompt` reads a prompt file that a pipeline names;
    `facts` say which models have earned to rerank files.
    """

    open: Callable[[str], RepositoryView]
    chats: ChatStore
    budget: Budget
    read_prompt: Callable[[str], str]
    facts: FactStore


AskRun = Run[AskTools]
