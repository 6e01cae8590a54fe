"""What a model may read for a task: units of code with the reason of each, within a token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from bottega.errors import InputError
from bottega.source import Span


class DetailLevel(StrEnum):
    """How much of a symbol is shown; the order is that of importance."""

    PRIMARY = "primary"
    """The whole text, or as much of a long one as its share of the budget allows."""
    SUPPORTING = "supporting"
    """What calls a primary symbol, or what it calls: the calling lines or the signature."""
    TYPE_CONTEXT = "type_context"
    """Signatures that say what else there is."""
    EXCLUDED = "excluded"


VALUES = "values"
"""The kind of a unit that lists values of one file which other units use."""


class Tier:
    """Why a file is considered; the lowest tier that applies counts."""

    NAMED = 0
    SEED = 1
    DEPENDENCY = 2
    CO_CHANGE = 3
    DESCRIPTION = 4


@dataclass(frozen=True, slots=True)
class BudgetConfig:
    """The context window of the model that will read the package, and what of it is not for context."""

    context_window: int
    reserved_tokens: int

    def __post_init__(self) -> None:
        if self.context_window <= 0:
            raise InputError("the context window must hold at least one token", hint="Set it above 0.")
        if not 0 <= self.reserved_tokens < self.context_window:
            raise InputError(
                f"{self.reserved_tokens} reserved tokens leave nothing of a window of {self.context_window}",
                hint="Reserve fewer tokens, or name a larger window.",
            )

    @property
    def effective_budget(self) -> int:
        return self.context_window - self.reserved_tokens

    def limit(self, share: float, most: int = 0) -> int:
        """The tokens for context: a share of the window, at most `most` unless that is 0."""
        wanted = min(self.effective_budget, int(self.context_window * share))
        return min(wanted, most) if most else wanted


@dataclass(frozen=True, slots=True)
class ContextUnit:
    """A symbol, or lines outside of any, as a model reads it.

    `first` and `last` are the lines of the symbol; `left_out` of them are not in `text`, which says where: `parts` are
    the lines that it shows. `origin` is the step that found it, `about` the purpose of the file as a model described
    it, `rank` the order in which units were chosen.
    """

    path: str
    first: int
    last: int
    text: str
    symbol: str = ""
    kind: str = ""
    node: str = ""
    signature: str = ""
    origin: str = "search"
    about: str = ""
    level: DetailLevel = DetailLevel.PRIMARY
    tier: int = Tier.SEED
    left_out: int = 0
    parts: tuple[tuple[int, int], ...] = ()
    rank: int = 0

    @property
    def spans(self) -> tuple[Span, ...]:
        """The lines that are shown."""
        return tuple(Span(self.path, first, last) for first, last in self.parts) or (self.span,)

    @property
    def span(self) -> Span:
        return Span(self.path, self.first, self.last)


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a file, a symbol or a group of symbols is in the package or not."""

    what: str
    level: DetailLevel
    tier: int
    is_included: bool
    reason: str
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ContextPackage:
    """What a model may read for a task, the most important file first; `tokens` is the sum of its units."""

    task: str
    units: Sequence[ContextUnit]
    decisions: Sequence[Decision]
    tokens: int
    budget: int
    files_considered: int = 0
    remarks: Sequence[str] = ()
    stage_ms: Mapping[str, float] = field(default_factory=dict)
