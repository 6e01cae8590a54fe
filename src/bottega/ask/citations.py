"""Read what an answer cites, and hold every citation against the lines it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

from bottega.ask.claims import WEAK_MARK, Checked, Citation, Claim, Level, Standing, shown_claim
from bottega.ask.parts import blocks, code_spans, sentences
from bottega.ask.wording import Wording, share, vocabulary, wording
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
# Least share of a sentence's words, beside its names, that cited lines must have. Chosen on flask, starlette and gin.
_LEAST_WORDING = 0.6
# Of two words one is enough.
_LEAST_OF_FEW, _FEW_TO_SHARE = 0.5, 2
# A citation moves to another passage that has this share of the words, and this much more than the cited lines have.
_MOVE_SHARE, _MOVE_GAIN, _MOVE_WORDS = 0.6, 0.3, 2
# With generic words counted, because the sentence has hardly any others, the passage must have nearly all of them.
_MOVE_SHARE_GENERIC = 0.8
_FEW_WORDS = 3
_MOST_NUMBERS = 8


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
        self._words = cache(lambda span: vocabulary(self._about(span)))

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
                    claim if claim.kept or claim.dropped or claim.moved else Claim(claim.text, Standing.NO_CLAIM)
                    for claim in said
                ]
            claims += [claim for claim in said if claim.text.strip()]
            shown.append(block.lead + "".join(map(shown_claim, said)))
        return Checked("".join(shown), tuple(claims))

    def sentence(self, text: str) -> Claim:
        """One sentence with what it cites."""
        bare, cited = self._parted(text)
        if not cited:
            return Claim(bare, Standing.NO_CLAIM if _claims_nothing(bare) else Standing.UNCITED)
        quoted, casual, prose = self._quoted(bare)
        said = wording(prose, quoted | casual)
        held = [self._held(citation, bare, quoted, casual) for citation in cited]
        missing = quoted - self._covered([citation for citation in held if not citation.problem], quoted)
        if missing:
            reason = f"the lines hold no {sorted(missing)[0]}"
            held = [replace(citation, problem=citation.problem or reason) for citation in held]
        kept = [citation for citation in held if not citation.problem]
        found = share(said, self._vocabulary(kept)) if kept else 0.0
        compared = said if said.is_comparable else None
        least = _LEAST_WORDING if len(said.words) > _FEW_TO_SHARE else _LEAST_OF_FEW
        is_weak = compared is not None and found < least
        passage = self._better_passage(quoted, said, found) if is_weak or not kept else None
        if passage is not None:
            return _moved(bare, held, passage)
        if not kept:
            return Claim(bare, Standing.UNSUPPORTED, (), tuple(held), level=self._level_of_lines(held))
        marked = tuple(replace(c, is_weak=is_weak or self._shares_names_alone(c, compared)) for c in kept)
        level = Level.NAMES if is_weak or not (found and said.words) else Level.WORDS
        dropped = tuple(citation for citation in held if citation.problem)
        return Claim(bare, Standing.WEAK if is_weak else Standing.SUPPORTED, marked, dropped, level=level)

    def _shares_names_alone(self, citation: Citation, compared: Wording | None) -> bool:
        return compared is not None and not share(compared, self._vocabulary([citation]))

    def _level_of_lines(self, cited: Sequence[Citation]) -> Level:
        exists = any(citation.span is not None and self._lines(citation.span) is not None for citation in cited)
        return Level.LINES if exists else Level.NOTHING

    def _better_passage(self, quoted: frozenset[str], said: Wording, found: float) -> Span | None:
        """The passage of the evidence that has all names of a sentence and clearly more of its words."""
        least = max(_MOVE_SHARE, found + _MOVE_GAIN)
        if len(said.words) < _MOVE_WORDS:
            said, least = Wording(said.words | said.generic, said.numbers), _MOVE_SHARE_GENERIC
        if len(said.words) < _MOVE_WORDS:
            return None
        best, most = None, 0.0
        for span in self._numbered.values():
            if self._lines(span) is None or span.last - span.first >= _MOST_LINES:
                continue
            if all(_holds(name, self._about(span), span.path) for name in quoted):
                shared = share(said, self._words(span))
                if shared >= least and shared > most:
                    best, most = span, shared
        return best

    def _vocabulary(self, cited: Sequence[Citation]) -> frozenset[str]:
        return frozenset().union(*(self._words(citation.span) for citation in cited if citation.span is not None))

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
        inside = inside.removesuffix(WEAK_MARK)
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

    def _quoted(self, claim: str) -> tuple[frozenset[str], frozenset[str], str]:
        """Names shown as code that lines must hold; those that are words everywhere; and the sentence without code."""
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
        return frozenset(found - casual), frozenset(casual), plain


def _placed(written: str, place: re.Match[str]) -> Citation:
    path, first = place["path"].strip().strip("`").removeprefix("./"), int(place["first"])
    last = int(place["last"] or first)
    if first < 1 or last < first:
        return Citation(written, None, "no such lines")
    return Citation(written, Span(path, first, last))


def _moved(bare: str, held: Sequence[Citation], passage: Span) -> Claim:
    """A sentence whose citations do not show it, cited by the passage that does."""
    reason = "the lines have little of the sentence but its names"
    moved = tuple(replace(citation, problem=citation.problem or reason) for citation in held)
    kept = (Citation(str(passage), passage),)
    return Claim(bare, Standing.SUPPORTED, kept, moved=moved, level=Level.WORDS)


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
