"""Records that a person reads again, and what models said about files: frozen values that outlive their run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bottega.errors import InputError
from bottega.source.span import Span

HISTORY_FIELDS = (
    "ts",
    "mode",
    "original_prompt",
    "normalized_prompt",
    "coder_output",
    "reviewer_output",
    "final_output",
    "escalated",
    "escalation_reason",
    "judge",
)
_CHAT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What a model said about one content of a file; `description` is None where `error` says why."""

    path: str
    hash: str
    model: str
    prompt_version: str
    description: Mapping[str, Any] | None
    error: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, in the user's language and in that of the prompts; `sources` are the cited lines."""

    at: str
    run: str
    question: str
    question_en: str
    answer: str
    answer_en: str
    grounding: str = ""
    sources: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of the first `turns` turns; `version` counts how often it was replaced."""

    text: str = ""
    turns: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation."""

    name: str
    turns: tuple[Turn, ...] = ()
    summary: Summary = field(default_factory=Summary)


def check_chat_name(name: str) -> None:
    """Raise `InputError` for what cannot name a conversation."""
    if not is_chat_name(name):
        raise InputError(
            f"{name[:80]!r} cannot name a conversation", hint="Letters, digits, '.', '_' and '-', at most 64."
        )


def is_chat_name(name: str) -> bool:
    return _CHAT_NAME.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A person's decision that a finding is no bug. It covers findings up to `severity`, until `until`.

    `mark` identifies the finding and `about` the code it is about; `seal` proves that this journal stored it.
    """

    mark: str
    title: str
    scope: str
    because: str
    who: str
    at: str
    until: str
    review: str
    severity: str = "WARNING"
    about: str = ""
    seal: str = ""

    def __str__(self) -> str:
        return f"dismissed by {self.who} on {self.at[:10]}: {self.because}"
