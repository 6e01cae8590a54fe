"""What a review finds, and all that happens to it on the way to the verdict."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict

Severity = Literal["HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION"]
Source = Literal["reviewer", "rule", "tool", "parse", "impact", "co-change", "secret", "danger"]
Outcome = Literal["", "upheld", "dismissed", "undecided", "unconfirmed"]
Triage = Literal["", "must-fix", "verify", "ignore"]

SEVERITIES: tuple[Severity, ...] = ("HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION")
UNKNOWN_CONFIDENCE = 50
_SAME_MATTER = 0.3
_WORD = re.compile(r"[A-Za-z_]\w+")


def rank(severity: Severity) -> int:
    """4 for the worst, 1 for a suggestion."""
    return len(SEVERITIES) - SEVERITIES.index(severity)


class Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Trace(Frozen):
    """One thing that happened to a finding: what, the confidence afterwards, and why."""

    stage: str
    confidence: int
    why: str = ""


class Voice(Frozen):
    """A finding in the words of one reviewer; merging keeps every one."""

    reviewer: str
    title: str
    problem: str
    quotes: tuple[str, ...] = ()
    suggestion: str = ""
    severity: Severity = "WARNING"
    confidence: int = UNKNOWN_CONFIDENCE


class Finding(Frozen):
    """`saw` are the reviewers that were shown the place; `verified` says what confirms it besides opinions.

    `quality` is how well it is argued, from 0 to 1; `outcome` is what a discussion came to;
    `unconfirmed` when models of one family discussed it, who can neither confirm nor dismiss what one of them said.
    """

    id: str
    title: str
    path: str
    first: int
    last: int
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

    @property
    def is_grave(self) -> bool:
        return rank(self.severity) >= rank("CRITICAL")

    @property
    def place(self) -> str:
        return f"{self.path}:{self.first}" if self.first == self.last else f"{self.path}:{self.first}-{self.last}"

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Each once, however often it said so."""
        return tuple(dict.fromkeys(voice.reviewer for voice in self.voices))

    @property
    def about(self) -> str:
        """What it is about, in its own words."""
        return f"{self.title} {self.problem}"

    @property
    def fingerprint(self) -> str:
        """The same while the finding is about the same line of the same file, wherever that moves to."""
        return _hashed(f"{self.path}\0{self.mark or self.marked()}")

    def marked(self) -> str:
        """The same for the same line in any file; kept with the finding, because records mask secrets in quotes."""
        about = _normal(self.quotes[0]) if self.quotes else " ".join(sorted(words(self.title)))
        return _hashed(f"{self.source}\0{about}")

    def at(self, stage: str, confidence: float, why: str = "", **changes: object) -> Finding:
        """The same with another confidence, and how it came to it."""
        value = max(0, min(100, round(confidence)))
        trace = (*self.trace, Trace(stage=stage, confidence=value, why=why))
        return self.model_copy(update={"confidence": value, "trace": trace, **changes})


class Dropped(Frozen):
    """A finding that was taken out, kept with the reason."""

    finding: Finding
    reason: str


def words(text: str) -> frozenset[str]:
    """What a title or a problem is about; short words say little."""
    return frozenset(word.lower() for word in _WORD.findall(text) if len(word) > 2) - _COMMON


def alike(one: str, other: str) -> float:
    """Which share of all their words two texts have in common."""
    ours, theirs = words(one), words(other)
    return len(ours & theirs) / len(ours | theirs) if ours and theirs else 0.0


def is_same_matter(one: str, other: str) -> bool:
    """Whether two descriptions of one line speak of one thing."""
    return alike(one, other) >= _SAME_MATTER


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _normal(text: str) -> str:
    return " ".join(text.split())


_COMMON = frozenset(
    """this that with from when where which while will would could should must have been being there their then than
    the and for are was not but can may has had its all any one two out use via per you that's who how why what
    into does doesn line lines code function method value values file change changes changed also because only
    before after without using used uses""".split()
)
