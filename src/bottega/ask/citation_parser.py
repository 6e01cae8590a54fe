"""Parse the citations in an answer's text: `[3]`, `[2, 5-7]`, `[path:first-last]`, and spans without brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bottega.ask.claims import WEAK_MARK, Citation
from bottega.ask.parts import find_code_spans
from bottega.source import Span

_BRACKET = re.compile(r"(?<!\w)\[(?P<inside>[^\[\]\n]{1,400})\](?!\()")
# A span without brackets, or written as a Markdown link.
_BARE = re.compile(
    r"[(\[]{0,2}`?(?<![\w./@+-])(?P<path>[\w./@+-]{1,300}\.\w{1,8})(?::|#)L?(?P<first>\d{1,9})"
    r"(?:\s?[-–]\s?L?(?P<last>\d{1,9}))?`?[)\]]{0,2}(?:\([^()\s]{0,200}\))?"
)
_RANGE = re.compile(r"(\d{1,4})\s?[-–]\s?(\d{1,4})")
_EMPTY_BRACKETS = re.compile(r"(?<!\w)\(\s*\)|\[\s*\]|\*{4,}")
_NUMBER = re.compile(r"\d{1,4}")
_SPAN = re.compile(r"(?P<path>[^\s,;:][^,;:]{0,400}):L?(?P<first>\d{1,9})(?:\s?[-–]\s?L?(?P<last>\d{1,9}))?")
# The longest range of evidence numbers that is read as one citation each, as in `[2-5]`.
_MOST_NUMBERS = 8


class CitationParser:
    """Reads the citations of a sentence; `numbered` are the spans that `[n]` stands for.

    `parts` are the spans of a number that stands for several, each cited apart.
    """

    def __init__(self, numbered: Mapping[int, Span], parts: Mapping[int, Sequence[Span]]) -> None:
        self._numbered = numbered
        self._parts = parts

    def split_citations(self, text: str) -> tuple[str, list[Citation]]:
        """Return the sentence without its citations, and the citations; brackets inside backticks are not citations."""
        text = text.replace("【", "[").replace("】", "]")
        code = [(start, end) for start, end, _ in find_code_spans(text)]
        citations: list[Citation] = []
        kept_text, position = [], 0
        for bracket in _BRACKET.finditer(text):
            if any(start <= bracket.start() < end for start, end in code):
                continue
            parsed = self._parse_brackets(bracket["inside"])
            if not parsed:
                continue
            citations += parsed
            before = text[position : bracket.start()]
            kept_text.append(before[:-1] if before.endswith(" ") else before)
            position = bracket.end()
        kept_text.append(text[position:])
        sentence = "".join(kept_text)
        citations += [_cite_span(match[0], match) for match in _BARE.finditer(sentence)]
        if citations:
            sentence = _EMPTY_BRACKETS.sub("", _BARE.sub("", sentence))
        return sentence, list(dict.fromkeys(citations))

    def _parse_brackets(self, inside: str) -> list[Citation]:
        """The citations between two brackets; empty when the brackets hold something else."""
        inside = inside.removesuffix(WEAK_MARK)
        whole = _SPAN.fullmatch(inside.strip().strip("`"))
        if whole is not None:
            return [_cite_span(inside, whole)]
        citations: list[Citation] = []
        path = ""
        for part in re.split(r"[,;]", inside):
            written = part.strip().strip("`").removeprefix("evidence ").removeprefix("#")
            number_range = _RANGE.fullmatch(written)
            if number_range is not None and path:
                written = f"{path}:{written}"
            elif number_range is not None and 0 < int(number_range[2]) - int(number_range[1]) <= _MOST_NUMBERS:
                first, last = int(number_range[1]), int(number_range[2])
                for number in range(first, last + 1):
                    citations += self._cite_number(str(number))
                continue
            span = _SPAN.fullmatch(written)
            if span is not None:
                path = span["path"]
                citations.append(_cite_span(written, span))
            elif _NUMBER.fullmatch(written):
                citations += self._cite_number(written)
        return citations

    def _cite_number(self, written: str) -> list[Citation]:
        number = int(written)
        if number in self._parts:
            return [Citation(written, span, is_part=True) for span in self._parts[number]]
        span = self._numbered.get(number)
        return [Citation(written, span, "" if span else "no evidence has this number")]


def _cite_span(written: str, match: re.Match[str]) -> Citation:
    path, first = match["path"].strip().strip("`").removeprefix("./"), int(match["first"])
    last = int(match["last"] or first)
    if first < 1 or last < first:
        return Citation(written, None, "no such lines")
    return Citation(written, Span(path, first, last))
