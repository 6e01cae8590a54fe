"""A finding of a review, with every step that it went through on the way to the verdict."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidatorFunctionWrapHandler, WrapValidator, model_validator

from bottega.errors import InputError
from bottega.source import Span

Severity = Literal["HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION"]
Source = Literal["reviewer", "rule", "tool", "parse", "impact", "co-change", "secret", "danger"]
Outcome = Literal["", "upheld", "dismissed", "undecided", "unconfirmed"]
Triage = Literal["", "must-fix", "verify", "ignore"]

SEVERITIES: tuple[Severity, ...] = ("HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION")
UNKNOWN_CONFIDENCE = 50
_SAME_MATTER = 0.3
_LINE_FIELDS = frozenset({"path", "first", "last"})
_WORD = re.compile(r"[A-Za-z_]\w+")


def rank_severity(severity: Severity) -> int:
    """4 for the worst, 1 for a suggestion."""
    return len(SEVERITIES) - SEVERITIES.index(severity)


class Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _read_span(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """A span from its JSON form; records of version 0.1 hold the text `path:first-last`."""
    try:
        return read(Span.parse(_LINE_ZERO.sub(":1-1", value)) if isinstance(value, str) else value)
    except InputError as error:
        raise ValueError(str(error)) from None


# Records of version 0.1 count the lines of an emptied file from 0.
_LINE_ZERO = re.compile(r":0-\d+\Z")
StoredSpan = Annotated[Span, WrapValidator(_read_span)]
"""A span in a record; an invalid one is refused as every other invalid field is."""


class Trace(Frozen):
    """One step that a finding went through: what was done, the confidence afterwards, and why."""

    stage: str
    confidence: int
    why: str = ""


class Voice(Frozen):
    """A finding as one reviewer reported it; merging keeps every one."""

    reviewer: str
    title: str
    problem: str
    quotes: tuple[str, ...] = ()
    suggestion: str = ""
    severity: Severity = "WARNING"
    confidence: int = UNKNOWN_CONFIDENCE


class Finding(Frozen):
    """`saw` are the reviewers that were shown the lines; `verified` says what confirms it besides opinions.

    `quality` is how well it is argued, from 0 to 1. `outcome` is how a discussion ended; it is `unconfirmed` when
    models of one family discussed it, which neither confirms nor dismisses what one of them said. `mark` identifies
    what it is about in any file, for dismissals.
    """

    id: str
    title: str
    span: StoredSpan
    severity: Severity
    problem: str
    confidence: int
    source: Source = "reviewer"
    quotes: tuple[str, ...] = ()
    suggestion: str = ""
    voices: tuple[Voice, ...] = ()
    saw: tuple[str, ...] = ()
    verified: str = ""
    quality: float = 0.0
    suggestion_check: str = ""
    discussion: str = ""
    outcome: Outcome = ""
    dismissal: str = ""
    triage: Triage = ""
    why: str = ""
    mark: str = ""
    trace: tuple[Trace, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _read_lines(cls, content: Any) -> Any:
        """Records of version 0.1 hold path, first and last, and may count the lines of an emptied file from 0."""
        if not isinstance(content, dict) or not content.keys() >= _LINE_FIELDS:
            return content
        rest = {key: value for key, value in content.items() if key not in _LINE_FIELDS}
        span = {"path": content["path"], "first": content["first"] or 1, "last": content["last"] or 1}
        return {"span": span, **rest}

    @property
    def is_grave(self) -> bool:
        return rank_severity(self.severity) >= rank_severity("CRITICAL")

    @property
    def quoted_lines(self) -> tuple[str, ...]:
        """Every line of the quotes that holds something, its blanks normalized; each once."""
        lines = (line for quote in self.quotes for line in quote.split("\n") if line.strip())
        return tuple(dict.fromkeys(map(normalize_blanks, lines)))

    @property
    def reviewers(self) -> tuple[str, ...]:
        """The names of those that reported it, each once."""
        return tuple(dict.fromkeys(voice.reviewer for voice in self.voices))

    @property
    def about(self) -> str:
        """Title and problem, to be compared by their words."""
        return f"{self.title} {self.problem}"

    @property
    def fingerprint(self) -> str:
        """The same while the finding is about the same line of the same file, wherever that moves to."""
        return _hash(f"{self.span.path}\0{self.mark or self.compute_mark()}")

    def compute_mark(self) -> str:
        """The same for the same line in any file; kept with the finding, because records mask secrets in quotes."""
        about = normalize_blanks(self.quotes[0]) if self.quotes else " ".join(sorted(extract_words(self.title)))
        return _hash(f"{self.source}\0{about}")

    def with_confidence(self, stage: str, confidence: float, why: str = "", **changes: object) -> Finding:
        """A copy with another confidence, cut to 0–100, and the step that led to it."""
        value = max(0, min(100, round(confidence)))
        trace = (*self.trace, Trace(stage=stage, confidence=value, why=why))
        return self.model_copy(update={"confidence": value, "trace": trace, **changes})


class DroppedFinding(Frozen):
    """A finding that the filter removed, kept with the reason."""

    finding: Finding
    reason: str


def extract_words(text: str) -> frozenset[str]:
    """The words that tell what a text is about: neither short nor common ones."""
    return frozenset(word.lower() for word in _WORD.findall(text) if len(word) > 2) - _COMMON


def measure_word_overlap(one: str, other: str) -> float:
    """The share of all their words that two texts have in common, from 0 to 1 (Jaccard index)."""
    ours, theirs = extract_words(one), extract_words(other)
    return len(ours & theirs) / len(ours | theirs) if ours and theirs else 0.0


def is_same_matter(one: str, other: str) -> bool:
    """Whether two descriptions of one line are about the same problem."""
    return measure_word_overlap(one, other) >= _SAME_MATTER


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def normalize_blanks(text: str) -> str:
    """Every run of white space as one blank, so that indentation and line ends do not tell two texts apart."""
    return " ".join(text.split())


_COMMON = frozenset(
    """this that with from when where which while will would could should must have been being there their then than
    the and for are was not but can may has had its all any one two out use via per you that's who how why what
    into does doesn line lines code function method value values file change changes changed also because only
    before after without using used uses""".split()
)
