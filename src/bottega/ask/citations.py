"""Read what an answer cites, and hold every citation against the lines it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile

from bottega.ask.parts import blocks, code_spans, sentences
from bottega.index.words import STOP_WORDS, identifiers, parts, stem
from bottega.source import Span

_BRACKET = re.compile(r"(?<!\w)\[(?P<inside>[^\[\]\n]{1,400})\](?!\()")
# A place that stands without its brackets, or in the form of a link.
_BARE = re.compile(
    r"[(\[]{0,2}`?(?<![\w./@+-])(?P<path>[\w./@+-]{1,300}\.\w{1,8})(?::|#)L?(?P<first>\d{1,9})"
    r"(?:\s?[-–]\s?L?(?P<last>\d{1,9}))?`?[)\]]{0,2}(?:\([^()\s]{0,200}\))?"
)
_RANGE = re.compile(r"(\d{1,4})\s?[-–]\s?(\d{1,4})")
_EMPTIED = re.compile(r"(?<!\w)\(\s*\)|\[\s*\]|\*{4,}")
_NUMBER = re.compile(r"\d{1,4}")
_PLACE = re.compile(r"(?P<path>[^\s,;:][^,;:]{0,400}):L?(?P<first>\d{1,9})(?:\s?[-–]\s?L?(?P<last>\d{1,9}))?")
_WORD_LIKE = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?")
_PATH_LIKE = re.compile(
    r"(?<![\w.@+/-])(?:[\w.@+-]{1,100}(?:/[\w.@+-]{1,100}){1,30}/?|[\w-]{1,100}\.(?:[a-z]{1,4}|toml|yaml|json)\b)"
)
_ADMITS = re.compile(
    r"\b(?:evidence|excerpts?|snippets?|context)\b[^.]{0,40}"
    r"\b(?:do(?:es)? not|don't|doesn't|cannot|lacks?|holds? no|shows? no)\b"
    r"|\bnot (?:in|shown by|shown in|part of|found in) the (?:evidence|excerpts?|snippets?|context)\b"
    r"|^I (?:could not|cannot|can't|did not|do not|don't) (?:find|see|tell|say|know|determine)\b",
    re.IGNORECASE,
)
# Words of many languages that an answer may put into backticks without the cited lines holding them.
_EVERYWHERE = frozenset(
    """none true false null nil undefined self this cls super int str string bool boolean float double char byte bytes
    list dict map set tuple array object any void number function func def fn class struct return if else for while
    import from let const var new public private static async await try except catch raise throw throws""".split()
)
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|@|\[)")
_OF_A_FILE = re.compile(r"(?<![\w.])([\w.]{1,100})`? (?:module|file|package|script|folder)\b")
_MOST_LINES = 400
_MOST_ABOVE = 40
_LEAST_SHARED = 0.34
_FEW_WORDS = 3
_MOST_NUMBERS = 8


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
            if block.is_heading:
                said = [
                    claim if claim.kept or claim.dropped else Claim(claim.text, Standing.NO_CLAIM) for claim in said
                ]
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
        """The sentence without its citations, and these; brackets in backticks cite nothing."""
        text = text.replace("【", "[").replace("】", "]")
        hidden = [(start, end) for start, end, _ in code_spans(text)]
        cited: list[Citation] = []
        bare, at = [], 0
        for found in _BRACKET.finditer(text):
            if any(start <= found.start() < end for start, end in hidden):
                continue
            read = self._read_all(found["inside"])
            if not read:
                continue
            cited += read
            before = text[at : found.start()]
            bare.append(before[:-1] if before.endswith(" ") else before)
            at = found.end()
        bare.append(text[at:])
        plain = "".join(bare)
        for found in _BARE.finditer(plain):
            cited.append(_placed(found[0], found))
        plain = _BARE.sub("", plain) if cited else plain
        return (_EMPTIED.sub("", plain) if cited else plain), list(dict.fromkeys(cited))

    def _read_all(self, inside: str) -> list[Citation]:
        """What brackets cite; nothing for brackets that are no citation."""
        whole = _PLACE.fullmatch(inside.strip().strip("`"))
        if whole is not None:
            return [_placed(inside, whole)]
        found: list[Citation] = []
        path = ""
        for part in re.split(r"[,;]", inside):
            written = part.strip().strip("`").removeprefix("evidence ").removeprefix("#")
            several = _RANGE.fullmatch(written)
            if several is not None and path:
                written = f"{path}:{written}"
            elif several is not None and 0 < int(several[2]) - int(several[1]) <= _MOST_NUMBERS:
                found += [self._number(str(number)) for number in range(int(several[1]), int(several[2]) + 1)]
                continue
            place = _PLACE.fullmatch(written)
            if place is not None:
                path = place["path"]
                found.append(_placed(written, place))
            elif _NUMBER.fullmatch(written):
                found.append(self._number(written))
        return found

    def _number(self, written: str) -> Citation:
        span = self._numbered.get(int(written))
        return Citation(written, span, "" if span else "no such number was given")

    def _held(self, citation: Citation, claim: str, quoted: frozenset[str], casual: frozenset[str]) -> Citation:
        if citation.problem or citation.span is None:
            return citation
        if citation.span.last - citation.span.first >= _MOST_LINES:
            return Citation(citation.written, citation.span, "so many lines prove nothing")
        text = self._lines(citation.span)
        if text is None:
            return Citation(citation.written, citation.span, "there is no such place")
        if quoted:
            if not any(_holds(name, self._about(citation.span), citation.span.path) for name in quoted):
                return Citation(citation.written, citation.span, f"the lines hold no {sorted(quoted)[0]}")
        elif not any(_has_word(name, self._owner(citation.span)) for name in casual) and not _speaks_of(
            claim, f"{citation.span.path}\n{self._about(citation.span)}"
        ):
            return Citation(citation.written, citation.span, "the lines speak of something else")
        return citation

    def _about(self, span: Span) -> str:
        """Lines with what they belong to and what is said right above them."""
        return f"{self._owner(span)}\n{self._said_above(span)}\n{self._lines(span)}"

    def _said_above(self, span: Span) -> str:
        """The comment right above some lines: in many languages what documents them."""
        if span.first == 1:
            return ""
        near = self._lines(Span(span.path, max(1, span.first - _MOST_ABOVE + 1), span.first - 1)) or ""
        return "\n".join(takewhile(_COMMENT.match, reversed(near.split("\n"))))

    def _covered(self, kept: Sequence[Citation], quoted: frozenset[str]) -> set[str]:
        texts = [(self._about(c.span), c.span.path) for c in kept if c.span is not None]
        return {name for name in quoted if any(_holds(name, text, path) for text, path in texts)}

    def _quoted(self, claim: str) -> tuple[frozenset[str], frozenset[str]]:
        """Names that the sentence shows as code and that lines must hold; and those that are words everywhere."""
        found: set[str] = set()
        prose, at = [], 0
        for start, end, code in code_spans(claim):
            found |= set(_names(code))
            prose.append(claim[at:start])
            at = end
        plain = " ".join([*prose, claim[at:]])
        for word in _WORD_LIKE.findall(plain):
            if _looks_like_code(word) or word in self._known:
                found.add(word.removesuffix("()"))
        for path in _PATH_LIKE.findall(plain):
            if "/" in path and "." in path.rsplit("/", 1)[-1]:
                found.add(path)
        casual = {name for name in found if name.lower() in _EVERYWHERE} | (found & set(_OF_A_FILE.findall(claim)))
        return frozenset(found - casual), frozenset(casual)


def _placed(written: str, place: re.Match[str]) -> Citation:
    path, first = place["path"].strip().strip("`").removeprefix("./"), int(place["first"])
    last = int(place["last"] or first)
    if first < 1 or last < first:
        return Citation(written, None, "no such lines")
    return Citation(written, Span(path, first, last))


def shown_claim(claim: Claim) -> str:
    """A sentence as it may be seen."""
    body = claim.text.rstrip()
    tail = claim.text[len(body) :]
    if claim.standing is Standing.NO_CLAIM or not body:
        return claim.text
    marks = [f"[{one_line(citation.span)}]" for citation in claim.kept if citation.span] or ["[unsupported]"]
    end = body[-1] if body[-1] in ".!?" else ""
    return f"{(body.removesuffix(end) if end else body).rstrip()} {' '.join(marks)}{end}{tail}"


def one_line(span: Span) -> str:
    """A place as text; a path that holds the end of a line cannot begin another."""
    return str(span).replace("\n", "\\n").replace("\r", "\\r")


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
    for word in _WORD_LIKE.findall(unquoted if unquoted.strip() else code):
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
    return bool(wanted) and len(wanted & _terms(text)) >= _LEAST_SHARED * len(wanted)


def _terms(text: str) -> set[str]:
    return {
        stem(part)
        for word in identifiers(text)
        for part in parts(word)
        if (len(part) > 2 or not part.isascii()) and part not in STOP_WORDS
    }
