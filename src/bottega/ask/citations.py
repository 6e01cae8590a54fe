"""Compare every sentence of an answer with the lines it cites, by names and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

from bottega.ask.citation_parser import CitationParser
from bottega.ask.claims import CheckedAnswer, Citation, CitationSupport, Claim, Level, render_claim
from bottega.ask.code_names import SentenceNames, contains_name, contains_parts, extract_names, has_word
from bottega.ask.parts import split_blocks, split_sentences
from bottega.ask.wording import Wording, collect_vocabulary, extract_wording, measure_overlap
from bottega.source import Span

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
# Share of a sentence's words, beside its names, that cited lines must have to be found by words; of at most two one.
_LEAST_OVERLAP, _LEAST_OVERLAP_OF_FEW, _FEW_WORDS = 0.6, 0.5, 2
# Other lines contradict a citation when they have this share of the sentence's words, so many of them, and so much more
# than the cited lines: of 650 true sentences of real answers 0.6 % are contradicted, of wrong claims seven in ten.
_OTHER_OVERLAP, _OTHER_GAIN, _OTHER_WORDS = 0.7, 0.5, 2
# The other lines may lack the name of a sentence that has one name and so many words, with a greater gain; two names in
# the cited lines speak for these.
_MOST_NAMES, _WORDS_BESIDE_NAME, _GAIN_BESIDE_NAME = 1, 3, 0.6
# Longer lines have the words of a sentence by chance.
_MOST_SIMILAR_LINES = 60
# With generic words counted, because the sentence has hardly any others, other lines must have nearly all of them.
_OTHER_OVERLAP_GENERIC = 0.8
# A shorter sentence makes no claim.
_LEAST_SENTENCE_WORDS = 3


@dataclass(frozen=True, slots=True)
class CodeReader:
    """What the checker reads of a repository.

    `lines` reads the text of a span from disk, `None` when the file or the lines do not exist. `owner` returns the
    qualified name that a span belongs to, such as `Class.method`: the span's own lines need not contain it.
    `find_similar` returns the symbols that match a sentence best, `is_defined` says whether a name is defined here.
    `extend` returns the lines of the whole signature that begins at a span.
    """

    lines: Callable[[Span], str | None]
    owner: Callable[[Span], str] = lambda _: ""
    find_similar: Callable[[str], Sequence[Span]] = lambda _: ()
    is_defined: Callable[[str], bool] = lambda _: True
    extend: Callable[[Span], Span] = lambda span: span


class CitationChecker:
    """Checks the citations of answers. `numbered` are the spans that `[n]` stands for, `known` are names of code.

    `parts` are the spans of numbers that stand for several.
    """

    def __init__(
        self,
        code: CodeReader,
        numbered: Mapping[int, Span],
        known: frozenset[str] = frozenset(),
        parts: Mapping[int, Sequence[Span]] | None = None,
    ) -> None:
        self._code = code
        self._read_lines = cache(code.lines)
        self._get_owner = cache(code.owner)
        self._is_defined = cache(code.is_defined)
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
        checked = self._check_citations(self._choose_parts(citations, names, wording), names)
        kept = tuple(citation for citation in checked if not citation.problem)
        overlap = measure_overlap(wording, self._join_vocabulary(kept)) if kept else 0.0
        dropped = tuple(citation for citation in checked if citation.problem)
        if kept and _is_found(wording, overlap):
            return Claim(sentence, CitationSupport.SUPPORTED, kept, dropped, level=Level.WORDS)
        other = self._find_other_span(sentence, names, wording, kept, overlap)
        if other in self._evidence and all(self._contains(other, name) for name in names.required):
            return _move_citations(sentence, checked, other)
        problem = _find_problem(sentence, names, wording, other, overlap)
        if problem or not kept:
            refused = tuple(replace(citation, problem=citation.problem or problem) for citation in checked)
            return Claim(sentence, CitationSupport.UNSUPPORTED, (), refused, level=self._get_lines_level(checked))
        return self._compare_names(sentence, names, wording, kept, dropped, other)

    def _compare_names(
        self,
        sentence: str,
        names: SentenceNames,
        wording: Wording,
        kept: tuple[Citation, ...],
        dropped: tuple[Citation, ...],
        other: Span | None,
    ) -> Claim:
        """A sentence that is not found by its words: weak where something speaks against it, else named or cited."""
        absent = min(wording.numbers - self._join_vocabulary(kept), default="")
        if other is not None or absent:
            marked = tuple(replace(citation, is_weak=True) for citation in kept)
            note = f"its words stand in {other}" if other is not None else f"{absent} is not in the cited lines"
            return Claim(sentence, CitationSupport.WEAK, marked, dropped, level=Level.NAMES, note=note)
        if not names.required and not self._names_owner(kept, names):
            return Claim(sentence, CitationSupport.CITED, kept, dropped, level=Level.LINES)
        has_more = wording.is_comparable and wording.words
        status = CitationSupport.NAMED if has_more else CitationSupport.SUPPORTED
        return Claim(sentence, status, kept, dropped, level=Level.NAMES)

    def _names_owner(self, citations: Sequence[Citation], names: SentenceNames) -> bool:
        """Whether a sentence names what a span belongs to by a word that is also a keyword, or by its module."""
        owners = [self._get_owner(citation.span) for citation in citations if citation.span is not None]
        return any(has_word(name, owner) for name in names.optional for owner in owners)

    def _choose_parts(
        self, citations: Sequence[Citation], names: SentenceNames, wording: Wording
    ) -> Sequence[Citation]:
        """Of several spans that one number stands for: those with a name of the sentence, or the one most like it."""
        citations = [
            replace(citation, span=self._code.extend(citation.span)) if citation.is_part and citation.span else citation
            for citation in citations
        ]
        parts = [citation for citation in citations if citation.is_part and citation.span is not None]
        if not parts:
            return citations
        found = {c for c in parts if c.span and any(self._contains(c.span, name) for name in names.required)}
        if not found:
            found = {max(parts, key=lambda c: measure_overlap(wording, self._join_vocabulary([c])))}
        return [citation for citation in citations if not citation.is_part or citation in found]

    def _check_citations(self, citations: Sequence[Citation], names: SentenceNames) -> list[Citation]:
        """The citations, with a problem where one does not hold; together they must contain every required name."""
        checked = [self._check_citation(citation, names) for citation in citations]
        spans = [citation.span for citation in checked if not citation.problem and citation.span is not None]
        missing = {name for name in names.required if not any(self._contains(span, name) for span in spans)}
        if not missing:
            return checked
        problem = f"the cited lines do not contain {min(missing)}"
        return [replace(citation, problem=citation.problem or problem) for citation in checked]

    def _check_citation(self, citation: Citation, names: SentenceNames) -> Citation:
        span = citation.span
        if citation.problem or span is None:
            return citation
        problem = ""
        if span.last - span.first >= MOST_LINES:
            problem = f"a span of {MOST_LINES} lines or more is too long to check"
        elif self._read_lines(span) is None:
            problem = "there is no such file, or it has no such lines"
        elif names.required and not any(self._contains(span, name) for name in names.required):
            problem = f"the cited lines do not contain {min(names.required)}"
        return Citation(citation.written, span, problem)

    def _get_lines_level(self, citations: Sequence[Citation]) -> Level:
        exists = any(
            citation.span is not None and self._read_lines(citation.span) is not None for citation in citations
        )
        return Level.LINES if exists else Level.NOTHING

    def _find_other_span(
        self, sentence: str, names: SentenceNames, wording: Wording, kept: Sequence[Citation], overlap: float
    ) -> Span | None:
        """Lines that have all names of a sentence and clearly more of its words: of the evidence, else of any file.

        A sentence whose cited lines have its names may say of them what stands elsewhere without them.
        """
        least = max(_OTHER_OVERLAP, overlap + _OTHER_GAIN)
        if len(wording.words) < _OTHER_WORDS:
            wording, least = Wording(wording.words | wording.generic, wording.numbers), _OTHER_OVERLAP_GENERIC
        if len(wording.words) < _OTHER_WORDS or overlap + _OTHER_GAIN > 1:
            return None
        cited = [citation.span for citation in kept if citation.span is not None]
        evidence = [span for span in self._evidence if not any(map(span.overlaps, cited))]
        best = self._choose_most_alike(evidence, names.required, wording, least)
        if best is not None or _is_lead_in(sentence):
            return best
        if names.required:
            least = max(_OTHER_OVERLAP, overlap + _GAIN_BESIDE_NAME)
            if len(names.required) > _MOST_NAMES or len(wording.words) < _WORDS_BESIDE_NAME or least > 1:
                return None
        found = (span for span in self._code.find_similar(sentence) if span.last - span.first < _MOST_SIMILAR_LINES)
        similar = [span for span in found if not any(map(span.overlaps, cited))]
        return self._choose_most_alike(similar, frozenset(), wording, least)

    def _choose_most_alike(
        self, spans: Sequence[Span], names: frozenset[str], wording: Wording, least: float
    ) -> Span | None:
        best, best_overlap = None, 0.0
        for span in spans:
            if self._read_lines(span) is None or span.last - span.first >= MOST_LINES:
                continue
            if all(self._contains(span, name) for name in names):
                overlap = measure_overlap(wording, self._get_words(span))
                if overlap >= least and overlap > best_overlap:
                    best, best_overlap = span, overlap
        return best

    def _join_vocabulary(self, citations: Sequence[Citation]) -> frozenset[str]:
        return frozenset().union(*(self._get_words(c.span) for c in citations if c.span is not None))

    def _contains(self, span: Span, name: str) -> bool:
        """Whether a span has a name; of one that is defined nowhere, such as a literal, a part of a name will do."""
        text = self._read_context(span)
        return contains_name(name, text, span.path) or (not self._is_defined(name) and contains_parts(name, text))

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


def _is_found(wording: Wording, overlap: float) -> bool:
    """Whether lines have enough of a sentence's words, where it has enough to compare."""
    least = _LEAST_OVERLAP if len(wording.words) > _FEW_WORDS else _LEAST_OVERLAP_OF_FEW
    return wording.is_comparable and bool(wording.words) and overlap >= least


def _find_problem(sentence: str, names: SentenceNames, wording: Wording, other: Span | None, overlap: float) -> str:
    """Why the lines that a sentence without a name cites are not about it; "" where nothing says so.

    They are not when other lines have its words, or when they share none with it, which four of 805 true sentences do;
    a lead-in to a list need not.
    """
    if names.required:
        return ""
    if other is not None:
        return f"its words stand in {other}"
    is_foreign = not overlap and len(wording.words) >= _OTHER_WORDS and not _is_lead_in(sentence)
    return "the cited lines are about something else" if is_foreign and not names.optional else ""


def _is_lead_in(sentence: str) -> bool:
    return sentence.strip("*_ \n").endswith(":")


def _makes_no_claim(sentence: str) -> bool:
    """Whether a sentence is a lead-in, a question, a few words, or says that something is not known."""
    plain = sentence.strip().strip("*_ ")
    if not plain or plain.endswith((":", "?")) or _ADMITS_IGNORANCE.search(plain):
        return True
    return len(re.findall(r"\w+", plain)) < _LEAST_SENTENCE_WORDS
