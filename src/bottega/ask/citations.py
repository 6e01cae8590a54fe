"""Compare every sentence of an answer with the lines it cites, by names and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

from bottega.ask.citation_parser import CitationParser
from bottega.ask.claims import CheckedAnswer, Citation, CitationSupport, Claim, Level, render_claim
from bottega.ask.code_names import SentenceNames, contains_name, extract_names, has_word
from bottega.ask.parts import split_blocks, split_sentences
from bottega.ask.wording import Wording, collect_vocabulary, extract_wording, measure_overlap
from bottega.source import Span
from bottega.source.words import STOP_WORDS, identifiers, split_identifier, stem

_ADMITS_IGNORANCE = re.compile(
    r"\b(?:evidence|excerpts?|snippets?|context)\b[^.]{0,40}"
    r"\b(?:do(?:es)? not|don't|doesn't|cannot|lacks?|holds? no|shows? no)\b"
    r"|\bnot (?:in|shown by|shown in|part of|found in) the (?:evidence|excerpts?|snippets?|context)\b"
    r"|^I (?:could not|cannot|can't|did not|do not|don't) (?:find|see|tell|say|know|determine)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|@|\[)")
# A longer span is too long to show that it supports a sentence.
MOST_LINES = 400
_MOST_COMMENT_LINES = 40
# Least share of a sentence's words that cited lines must have when the sentence has no name.
_LEAST_TERMS = 0.34
# Least share of a sentence's words, beside its names, that cited lines must have. Chosen on flask, starlette and gin.
_LEAST_OVERLAP = 0.6
# A sentence of at most two such words needs one of them.
_LEAST_OVERLAP_OF_FEW, _FEW_WORDS = 0.5, 2
# A citation moves to another span that has this share of the words, and this much more than the cited lines have.
_MOVE_OVERLAP, _MOVE_GAIN, _MOVE_WORDS = 0.6, 0.3, 2
# With generic words counted, because the sentence has hardly any others, the span must have nearly all of them.
_MOVE_OVERLAP_GENERIC = 0.8
# A shorter sentence makes no claim.
_LEAST_SENTENCE_WORDS = 3


ReadLines = Callable[[Span], str | None]
"""Reads the text of a span from disk; `None` when the file or the lines do not exist."""


class CitationChecker:
    """Checks the citations of answers. `numbered` are the spans that `[n]` stands for, `known` are names of code.

    `owner` returns the qualified name that a span belongs to, such as `Class.method`: the span's own lines need not
    contain it. `parts` are the spans of numbers that stand for several.
    """

    def __init__(
        self,
        read_lines: ReadLines,
        numbered: Mapping[int, Span],
        known: frozenset[str] = frozenset(),
        owner: Callable[[Span], str] = lambda _: "",
        parts: Mapping[int, Sequence[Span]] | None = None,
    ) -> None:
        self._read_lines = cache(read_lines)
        self._get_owner = cache(owner)
        several = parts or {}
        self._parser = CitationParser(numbered, several)
        self._evidence = tuple(part for n, span in numbered.items() for part in several.get(n, (span,)))
        self._known = known
        self._get_words = cache(lambda span: collect_vocabulary(self._read_context(span)))

    def check(self, answer: str) -> CheckedAnswer:
        claims: list[Claim] = []
        rendered: list[str] = []
        for block in split_blocks(answer):
            if block.is_code:
                rendered.append(block.text)
                continue
            block_claims = [self.check_sentence(sentence) for sentence in split_sentences(block.text)]
            if block.is_heading:
                block_claims = [
                    claim if claim.kept or claim.dropped or claim.moved else Claim(claim.text, CitationSupport.NO_CLAIM)
                    for claim in block_claims
                ]
            claims += [claim for claim in block_claims if claim.text.strip()]
            rendered.append(block.lead + "".join(map(render_claim, block_claims)))
        return CheckedAnswer("".join(rendered), tuple(claims))

    def check_sentence(self, text: str) -> Claim:
        """Compare one sentence with what it cites."""
        sentence, citations = self._parser.split_citations(text)
        if not citations:
            return Claim(sentence, CitationSupport.NO_CLAIM if _makes_no_claim(sentence) else CitationSupport.UNCITED)
        names = extract_names(sentence, self._known)
        wording = extract_wording(names.prose, names.required | names.optional)
        checked = self._check_citations(self._choose_parts(citations, names, wording), sentence, names)
        kept = [citation for citation in checked if not citation.problem]
        overlap = measure_overlap(wording, self._join_vocabulary(kept)) if kept else 0.0
        comparable = wording if wording.is_comparable else None
        least = _LEAST_OVERLAP if len(wording.words) > _FEW_WORDS else _LEAST_OVERLAP_OF_FEW
        is_weak = comparable is not None and overlap < least
        better = self._find_better_span(names.required, wording, overlap) if is_weak or not kept else None
        if better is not None:
            return _move_citations(sentence, checked, better)
        if not kept:
            return Claim(
                sentence, CitationSupport.UNSUPPORTED, (), tuple(checked), level=self._get_lines_level(checked)
            )
        marked = tuple(replace(c, is_weak=is_weak or self._shares_only_names(c, comparable)) for c in kept)
        level = Level.NAMES if is_weak or not (overlap and wording.words) else Level.WORDS
        dropped = tuple(citation for citation in checked if citation.problem)
        return Claim(
            sentence, CitationSupport.WEAK if is_weak else CitationSupport.SUPPORTED, marked, dropped, level=level
        )

    def _choose_parts(
        self, citations: Sequence[Citation], names: SentenceNames, wording: Wording
    ) -> Sequence[Citation]:
        """Of several spans that one number stands for: those with a name of the sentence, or the one most like it."""
        parts = [citation for citation in citations if citation.is_part and citation.span is not None]
        if not parts:
            return citations
        found = {c for c in parts if c.span and any(self._contains(c.span, name) for name in names.required)}
        if not found:
            found = {max(parts, key=lambda c: measure_overlap(wording, self._join_vocabulary([c])))}
        return [citation for citation in citations if not citation.is_part or citation in found]

    def _check_citations(self, citations: Sequence[Citation], sentence: str, names: SentenceNames) -> list[Citation]:
        """The citations, with a problem where one does not hold; together they must contain every required name."""
        checked = [self._check_citation(citation, sentence, names) for citation in citations]
        spans = [citation.span for citation in checked if not citation.problem and citation.span is not None]
        missing = {name for name in names.required if not any(self._contains(span, name) for span in spans)}
        if not missing:
            return checked
        problem = f"the cited lines do not contain {min(missing)}"
        return [replace(citation, problem=citation.problem or problem) for citation in checked]

    def _check_citation(self, citation: Citation, sentence: str, names: SentenceNames) -> Citation:
        span = citation.span
        if citation.problem or span is None:
            return citation
        problem = ""
        if span.last - span.first >= MOST_LINES:
            problem = f"a span of {MOST_LINES} lines or more is too long to check"
        elif self._read_lines(span) is None:
            problem = "there is no such file, or it has no such lines"
        elif names.required:
            if not any(self._contains(span, name) for name in names.required):
                problem = f"the cited lines do not contain {min(names.required)}"
        elif not any(has_word(name, self._get_owner(span)) for name in names.optional) and not _shares_terms(
            sentence, f"{span.path}\n{self._read_context(span)}"
        ):
            problem = "the cited lines are about something else"
        return Citation(citation.written, span, problem)

    def _shares_only_names(self, citation: Citation, wording: Wording | None) -> bool:
        return wording is not None and not measure_overlap(wording, self._join_vocabulary([citation]))

    def _get_lines_level(self, citations: Sequence[Citation]) -> Level:
        exists = any(
            citation.span is not None and self._read_lines(citation.span) is not None for citation in citations
        )
        return Level.LINES if exists else Level.NOTHING

    def _find_better_span(self, names: frozenset[str], wording: Wording, overlap: float) -> Span | None:
        """The span of the evidence that contains all names of a sentence and clearly more of its words."""
        least = max(_MOVE_OVERLAP, overlap + _MOVE_GAIN)
        if len(wording.words) < _MOVE_WORDS:
            wording, least = Wording(wording.words | wording.generic, wording.numbers), _MOVE_OVERLAP_GENERIC
        if len(wording.words) < _MOVE_WORDS:
            return None
        best, best_overlap = None, 0.0
        for span in self._evidence:
            if self._read_lines(span) is None or span.last - span.first >= MOST_LINES:
                continue
            if all(self._contains(span, name) for name in names):
                candidate_overlap = measure_overlap(wording, self._get_words(span))
                if candidate_overlap >= least and candidate_overlap > best_overlap:
                    best, best_overlap = span, candidate_overlap
        return best

    def _join_vocabulary(self, citations: Sequence[Citation]) -> frozenset[str]:
        return frozenset().union(*(self._get_words(c.span) for c in citations if c.span is not None))

    def _contains(self, span: Span, name: str) -> bool:
        return contains_name(name, self._read_context(span), span.path)

    def _read_context(self, span: Span) -> str:
        """The lines of a span, after the name they belong to and the comment right above them."""
        return f"{self._get_owner(span)}\n{self._read_comment_above(span)}\n{self._read_lines(span)}"

    def _read_comment_above(self, span: Span) -> str:
        """The comment right above a span, which in many languages is its documentation."""
        if span.first == 1:
            return ""
        above = self._read_lines(Span(span.path, max(1, span.first - _MOST_COMMENT_LINES + 1), span.first - 1)) or ""
        return "\n".join(takewhile(_COMMENT.match, reversed(above.split("\n"))))


def _move_citations(sentence: str, citations: Sequence[Citation], span: Span) -> Claim:
    """Cite the span that supports the sentence in place of citations that do not."""
    problem = "the cited lines contain little of the sentence but its names"
    moved = tuple(replace(citation, problem=citation.problem or problem) for citation in citations)
    return Claim(sentence, CitationSupport.SUPPORTED, (Citation(str(span), span),), moved=moved, level=Level.WORDS)


def _makes_no_claim(sentence: str) -> bool:
    """Whether a sentence is a lead-in, a question, a few words, or says that something is not known."""
    plain = sentence.strip().strip("*_ ")
    if not plain or plain.endswith((":", "?")) or _ADMITS_IGNORANCE.search(plain):
        return True
    return len(re.findall(r"\w+", plain)) < _LEAST_SENTENCE_WORDS


def _shares_terms(sentence: str, text: str) -> bool:
    """Whether a text has enough of a sentence's words."""
    wanted = _extract_terms(sentence)
    return bool(wanted) and len(wanted & _extract_terms(text)) >= _LEAST_TERMS * len(wanted)


def _extract_terms(text: str) -> set[str]:
    return {
        stem(part)
        for word in identifiers(text)
        for part in split_identifier(word)
        if (len(part) > 2 or not part.isascii()) and part not in STOP_WORDS
    }
