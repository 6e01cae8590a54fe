"""Read what an answer cites, and hold every citation against the lines it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from bottega.index.words import STOP_WORDS, identifiers, parts, stem
from bottega.source import Span

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_CODE_SPAN = re.compile(r"(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_BRACKET = re.compile(r"(?<![\w\])`])\[(?P<inside>[^\[\]\n]{1,400})\](?!\()")
_NUMBER = re.compile(r"\d{1,4}")
_PLACE = re.compile(r"(?P<path>[^\s,;:][^,;:]*):(?P<first>\d{1,9})(?:\s*[-–]\s*(?P<last>\d{1,9}))?")
_SENTENCE_END = re.compile(r"[.!?](?:[\"')\]*_]*)(?=\s|$)")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|No|Fig)|\b[A-Z]|\d)\.$")
_WORD_LIKE = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?")
_PATH_LIKE = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)+/?|[\w-]+\.(?:[a-z]{1,4}|toml|yaml|json)\b")
_ADMITS = re.compile(
    r"\b(?:evidence|sources?|context|snippets?|excerpts?|provided|shown|given)\b.*\b(?:not|no|cannot|n't|nothing|lacks?)\b"
    r"|\b(?:not|no|cannot|n't|nothing)\b.*\b(?:evidence|sources?|context|snippets?|excerpts?|provided|shown|given)\b"
    r"|^I (?:could not|cannot|can't|do not|don't|did not)\b",
    re.IGNORECASE | re.DOTALL,
)
# Words of many languages that an answer may put into backticks without the cited lines holding them.
_EVERYWHERE = frozenset(
    """none true false null nil undefined self this cls super int str string bool boolean float double char byte bytes
    list dict map set tuple array object any void number function func def fn class struct return if else for while
    import from let const var new public private static async await try except catch raise throw throws""".split()
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|@|\[)")
_OF_A_FILE = re.compile(r"`?([\w.]+)`? (?:module|file|package|script|folder)\b")
_MOST_ABOVE = 40
_LEAST_SHARED = 0.34
_FEW_WORDS = 3


class Standing(StrEnum):
    """What became of a sentence: it rests on lines that were read, on nothing, or it claims nothing."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    NO_CLAIM = "no claim"


@dataclass(frozen=True, slots=True)
class Citation:
    """As written, and the lines it stands for; `problem` says why it was dropped."""

    written: str
    span: Span | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without its citations."""

    text: str
    standing: Standing
    kept: tuple[Citation, ...] = ()
    dropped: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer as it may be seen. `text` cites `[path:first-last]` alone, and marks what rests on nothing."""

    text: str
    claims: tuple[Claim, ...]

    @property
    def grounding(self) -> str:
        counted = [claim.standing for claim in self.claims if claim.standing is not Standing.NO_CLAIM]
        supported = counted.count(Standing.SUPPORTED)
        if not supported:
            return "not grounded"
        return "grounded" if supported == len(counted) else "partly grounded"


Lines = Callable[[Span], str | None]
"""The text of a span as it lies on the disk, `None` when there is no such place."""


class Gate:
    """Checks answers. `numbered` are the spans that `[n]` stands for; `known` holds names that are surely code.

    `owner` names what the lines of a span belong to, such as `Class.method`: its names need not stand in the lines.
    """

    def __init__(
        self,
        lines: Lines,
        numbered: Mapping[int, Span],
        known: frozenset[str] = frozenset(),
        owner: Callable[[Span], str] = lambda _: "",
    ) -> None:
        self._lines = cache(lines)
        self._owner = cache(owner)
        self._numbered = numbered
        self._known = known

    def check(self, answer: str) -> Checked:
        claims: list[Claim] = []
        shown: list[str] = []
        for block in blocks(answer):
            if block.is_code:
                shown.append(block.text)
                continue
            said = [self.sentence(sentence) for sentence in sentences(block.text)]
            claims += [claim for claim in said if claim.text.strip()]
            shown.append(block.lead + "".join(map(shown_claim, said)))
        return Checked("".join(shown), tuple(claims))

    def sentence(self, text: str) -> Claim:
        """One sentence with what it cites."""
        bare, cited = self._parted(text)
        if not cited and _claims_nothing(bare):
            return Claim(bare, Standing.NO_CLAIM)
        quoted, casual = self._quoted(bare)
        held = [self._held(citation, bare, quoted, casual) for citation in cited]
        kept = [citation for citation in held if not citation.problem]
        missing = quoted - self._covered(kept, quoted)
        if kept and missing:
            reason = f"the lines hold no {sorted(missing)[0]}"
            held = [Citation(c.written, c.span, c.problem or reason) for c in held]
            kept = []
        standing = Standing.SUPPORTED if kept else Standing.UNSUPPORTED
        return Claim(bare, standing, tuple(kept), tuple(c for c in held if c.problem))

    def _parted(self, text: str) -> tuple[str, list[Citation]]:
        """The sentence without its citations, and these; what stands in backticks cites nothing."""
        hidden = [found.span() for found in _CODE_SPAN.finditer(text)]
        cited: list[Citation] = []
        bare, at = [], 0
        for found in _BRACKET.finditer(text):
            if any(start <= found.start() < end for start, end in hidden):
                continue
            read = [self._read(part.strip()) for part in re.split(r"[,;]", found["inside"])]
            if not all(read):
                continue
            cited += [citation for citation in read if citation is not None]
            before = text[at : found.start()]
            bare.append(before[:-1] if before.endswith(" ") else before)
            at = found.end()
        bare.append(text[at:])
        return "".join(bare), list(dict.fromkeys(cited))

    def _read(self, written: str) -> Citation | None:
        """`None` for brackets that are no citation."""
        number = _NUMBER.fullmatch(written.removeprefix("#"))
        if number is not None:
            span = self._numbered.get(int(number[0]))
            return Citation(written, span, "" if span else "no such number was given")
        place = _PLACE.fullmatch(written)
        if place is None:
            return None
        path, first = place["path"].strip().strip("`"), int(place["first"])
        last = int(place["last"] or first)
        if first < 1 or last < first:
            return Citation(written, None, "no such lines")
        return Citation(written, Span(path, first, last))

    def _held(self, citation: Citation, claim: str, quoted: frozenset[str], casual: frozenset[str]) -> Citation:
        if citation.problem or citation.span is None:
            return citation
        text = self._lines(citation.span)
        if text is None:
            return Citation(citation.written, citation.span, "there is no such place")
        if quoted:
            owned = f"{self._owner(citation.span)}\n{text}"
            if not any(_holds(name, owned, citation.span.path) for name in quoted):
                return Citation(citation.written, citation.span, f"the lines hold no {sorted(quoted)[0]}")
        elif not any(_holds(name, text, citation.span.path) for name in casual) and not _speaks_of(
            claim, f"{citation.span.path}\n{self._said_above(citation.span)}\n{text}"
        ):
            return Citation(citation.written, citation.span, "the lines speak of something else")
        return citation

    def _said_above(self, span: Span) -> str:
        """The comment right above some lines: in many languages what documents them."""
        above: list[str] = []
        for number in range(span.first - 1, max(0, span.first - _MOST_ABOVE), -1):
            line = self._lines(Span(span.path, number, number)) or ""
            if not _COMMENT.match(line):
                break
            above.append(line)
        return "\n".join(above)

    def _covered(self, kept: Sequence[Citation], quoted: frozenset[str]) -> set[str]:
        texts = [(f"{self._owner(c.span)}\n{self._lines(c.span)}", c.span.path) for c in kept if c.span is not None]
        return {name for name in quoted if any(_holds(name, text, path) for text, path in texts)}

    def _quoted(self, claim: str) -> tuple[frozenset[str], frozenset[str]]:
        """Names that the sentence shows as code, in backticks or by their look; and those that lines need not hold."""
        found: set[str] = set()
        for span in _CODE_SPAN.finditer(claim):
            found |= set(_names(span["code"]))
        for word in _WORD_LIKE.findall(_CODE_SPAN.sub(" ", claim)):
            if _looks_like_code(word) or word in self._known:
                found.add(word.removesuffix("()"))
        for path in _PATH_LIKE.findall(_CODE_SPAN.sub(" ", claim)):
            if "/" in path and "." in path.rsplit("/", 1)[-1]:
                found.add(path)
        casual = {name for name in found if name.lower() in _EVERYWHERE}
        casual |= found & set(_OF_A_FILE.findall(claim))
        return frozenset(found - casual), frozenset(casual)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading, an item of a list, or code. `lead` is what stands before its sentences."""

    text: str
    lead: str = ""
    is_code: bool = False


def blocks(answer: str) -> Iterator[Block]:
    """The parts of an answer; joined, they are the answer."""
    fence = ""
    code: list[str] = []
    prose: list[str] = []

    def paragraph() -> Iterator[Block]:
        if prose:
            text = "".join(prose)
            item = _ITEM.match(text)
            lead = item[0] if item else ""
            yield Block(text[len(lead) :], lead)
            prose.clear()

    for line in answer.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            code.append(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                yield Block("".join(code), is_code=True)
                fence, code = "", []
        elif mark:
            yield from paragraph()
            fence, code = mark[1], [line]
        elif _HEADING.match(line) or not line.strip():
            yield from paragraph()
            yield Block("", line)
        else:
            if _ITEM.match(line):
                yield from paragraph()
            prose.append(line)
    yield from paragraph()
    if code:
        yield Block("".join(code), is_code=True)


def sentences(text: str) -> list[str]:
    """Joined, they are the text. Citations after the full stop belong to the sentence before it."""
    hidden = [found.span() for found in _CODE_SPAN.finditer(text)]
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        place = end.end()
        if (
            place <= start
            or any(a <= end.start() < b for a, b in hidden)
            or _NO_END.search(text[start : end.start() + 1])
        ):
            continue
        while follows := re.compile(r"\s*\[[^\[\]\n]{1,400}\](?!\()[.]?").match(text, place):
            place = follows.end()
        blank = re.compile(r"\s*").match(text, place)
        place = blank.end() if blank else place
        found.append(text[start:place])
        start = place
    if start < len(text):
        found.append(text[start:])
    return found


def shown_claim(claim: Claim) -> str:
    """A sentence as it may be seen."""
    body = claim.text.rstrip()
    tail = claim.text[len(body) :]
    if claim.standing is Standing.NO_CLAIM or not body:
        return claim.text
    marks = [f"[{citation.span}]" for citation in claim.kept] or ["[unsupported]"]
    end = body[-1] if body[-1] in ".!?" else ""
    return f"{body.removesuffix(end) if end else body} {' '.join(marks)}{end}{tail}"


def _claims_nothing(sentence: str) -> bool:
    """A lead-in, a question, a few words, or an admission that something is not known."""
    plain = sentence.strip().strip("*_ ")
    if not plain or plain.endswith((":", "?")) or _ADMITS.search(plain):
        return True
    return len(re.findall(r"\w+", plain)) < _FEW_WORDS


def _names(code: str) -> Iterator[str]:
    """The names in a piece of code; a path stays whole."""
    path = _PATH_LIKE.fullmatch(code.strip())
    if path:
        yield code.strip().rstrip("/")
        return
    unquoted = re.sub(r"\"[^\"]*\"|'[^']*'", " ", code)
    for word in _WORD_LIKE.findall(unquoted or code):
        yield word.removesuffix("()")


def _looks_like_code(word: str) -> bool:
    if word.endswith("()"):
        return True
    return "_" in word.strip("_") or "::" in word or "->" in word or (word.startswith("__") and word.endswith("__"))


def _holds(name: str, text: str, path: str) -> bool:
    """Whether lines, or the path they are cited by, show a name; of a dotted one its last part is enough."""
    is_path = "/" in name or _PATH_LIKE.fullmatch(name)
    if is_path and (path == name or path.endswith(f"/{name}") or path.startswith(f"{name}/") or name in text):
        return True
    last = re.split(r"\.|::|->|#", name)[-1]
    return any(_has_word(word, text) for word in (name, last))


def _has_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (_is_part(before) or _is_part(after)):
            return True
        at = text.find(word, at + 1)
    return False


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


def _speaks_of(claim: str, text: str) -> bool:
    """Whether lines share enough of a sentence's words with it."""
    wanted = _terms(claim)
    return not wanted or len(wanted & _terms(text)) >= _LEAST_SHARED * len(wanted)


def _terms(text: str) -> set[str]:
    return {
        stem(part) for word in identifiers(text) for part in parts(word) if len(part) > 2 and part not in STOP_WORDS
    }
