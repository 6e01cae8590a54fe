"""What became of each sentence of an answer once its citations were read, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bottega.source import Span

WEAK_MARK = " weak"
MATCH, PARTIAL_MATCH, NO_MATCH = "match", "partial match", "no match"


class Standing(StrEnum):
    """What the comparison of a sentence with its cited lines came to; none of it says that a sentence is true.

    A weak sentence has its names at the cited lines, and little else of what it says. An unsupported one has
    citations of which none holds, an uncited one has none.
    """

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    NO_CLAIM = "no claim"


class Level(StrEnum):
    """How far a sentence was found at the lines it cites; each level includes the one before it."""

    NOTHING = ""
    LINES = "lines"
    NAMES = "names"
    WORDS = "names and words"


@dataclass(frozen=True, slots=True)
class Citation:
    """As written, and the lines it stands for. `problem` says why it was dropped or moved.

    A weak citation names lines that share nothing with the sentence but names.
    """

    written: str
    span: Span | None
    problem: str = ""
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without its citations. `moved` are citations in whose place a passage that holds the sentence stands.

    `level` is what was found of the sentence at the lines of `kept`.
    """

    text: str
    standing: Standing
    kept: tuple[Citation, ...] = ()
    dropped: tuple[Citation, ...] = ()
    moved: tuple[Citation, ...] = ()
    level: Level = Level.NOTHING


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer as it may be seen. `text` cites `[path:first-last]` alone, and marks what its citations do not show."""

    text: str
    claims: tuple[Claim, ...]

    @property
    def grounding(self) -> str:
        """What the comparison with the cited lines came to, over all statements."""
        counted = [claim.standing for claim in self.claims if claim.standing is not Standing.NO_CLAIM]
        supported = counted.count(Standing.SUPPORTED)
        if not supported:
            return NO_MATCH
        return MATCH if supported == len(counted) else PARTIAL_MATCH


def shown_claim(claim: Claim) -> str:
    """A sentence as it may be seen."""
    body = claim.text.rstrip()
    tail = claim.text[len(body) :]
    if claim.standing is Standing.NO_CLAIM or not body:
        return claim.text
    marks = [_shown_citation(citation) for citation in claim.kept if citation.span] or [f"[{claim.standing}]"]
    end = body[-1] if body[-1] in ".!?" else ""
    return f"{(body.removesuffix(end) if end else body).rstrip()} {' '.join(marks)}{end}{tail}"


def _shown_citation(citation: Citation) -> str:
    assert citation.span is not None
    return f"[{one_line(citation.span)}{WEAK_MARK if citation.is_weak else ''}]"


def one_line(span: Span) -> str:
    """A place as text; a path that holds the end of a line cannot begin another."""
    return str(span).replace("\n", "\\n").replace("\r", "\\r")
