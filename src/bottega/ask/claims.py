"""The sentences of a checked answer, their citations, and how they are rendered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from bottega.source import Span

WEAK_MARK = " weak"
MATCH, PARTIAL_MATCH, NO_MATCH = "match", "partial match", "no match"
ABSENCE = "not in this repository"


class CitationSupport(StrEnum):
    """Result of comparing a sentence with its cited lines; no result says that the sentence is true.

    The cited lines of a supported sentence contain its names and most of its other words, those of a named one its
    names alone; those of a cited one, which has no name, exist and contain few of its words. For a weak sentence
    something speaks against its citations: other lines have its words, or a number is missing. An unsupported sentence
    has only citations that were dropped, an uncited one has none.
    """

    SUPPORTED = "supported"
    NAMED = "named"
    CITED = "cited"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    NO_CLAIM = "no claim"


class Level(StrEnum):
    """What the cited lines contain of a sentence; each level includes the one before it."""

    NOTHING = ""
    LINES = "lines"
    NAMES = "names"
    WORDS = "names and words"


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation as the model wrote it, and its span. `problem` says why it was dropped or moved.

    For a weak citation something speaks against it. One that `is_part` is one of several spans that a
    number stands for.
    """

    written: str
    span: Span | None
    problem: str = ""
    is_weak: bool = False
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without its citations. `moved` are citations that were replaced by a span that supports the sentence.

    `level` is what the lines of `kept` contain of the sentence, `note` what speaks against them.
    """

    text: str
    status: CitationSupport
    kept: tuple[Citation, ...] = ()
    dropped: tuple[Citation, ...] = ()
    moved: tuple[Citation, ...] = ()
    level: Level = Level.NOTHING
    note: str = ""


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A checked answer. Every citation in `text` reads `[path:first-last]`, and unsupported sentences are marked."""

    text: str
    claims: tuple[Claim, ...]

    @property
    def grounding(self) -> str:
        """Whether all, some or none of the sentences that make a claim are supported; a named one is in part."""
        counted = {claim.status for claim in self.claims} - {CitationSupport.NO_CLAIM}
        if not counted & {CitationSupport.SUPPORTED, CitationSupport.NAMED}:
            return NO_MATCH
        return MATCH if counted == {CitationSupport.SUPPORTED} else PARTIAL_MATCH


def without_uncited(checked: CheckedAnswer) -> CheckedAnswer:
    """For an answer that says what is not there: a sentence without a citation makes no claim about lines."""
    claims = tuple(
        replace(claim, status=CitationSupport.NO_CLAIM) if claim.status is CitationSupport.UNCITED else claim
        for claim in checked.claims
    )
    return CheckedAnswer(checked.text.replace(f" [{CitationSupport.UNCITED}]", ""), claims)


def render_claim(claim: Claim) -> str:
    """The sentence with its kept citations, or with a mark such as `[uncited]`."""
    body = claim.text.rstrip()
    tail = claim.text[len(body) :]
    if claim.status is CitationSupport.NO_CLAIM or not body:
        return claim.text
    marks = [_render_citation(citation) for citation in claim.kept if citation.span] or [f"[{claim.status}]"]
    end = body[-1] if body[-1] in ".!?" else ""
    return f"{(body.removesuffix(end) if end else body).rstrip()} {' '.join(marks)}{end}{tail}"


def _render_citation(citation: Citation) -> str:
    assert citation.span is not None
    return f"[{format_span(citation.span)}{WEAK_MARK if citation.is_weak else ''}]"


def format_span(span: Span) -> str:
    """A span on one line: line breaks in the path are escaped."""
    return str(span).replace("\n", "\\n").replace("\r", "\\r")
