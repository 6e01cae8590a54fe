"""Find the code names in a sentence, and look for them in the text of a span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.ask.parts import find_code_spans
from bottega.source.words import identifiers, split_identifier, stem

_WORD_LIKE = re.compile(r"(?<!\w)[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:\(\))?")
_PATH_LIKE = re.compile(
    r"(?<![\w.@+/-])(?:[\w.@+-]{1,100}(?:/[\w.@+-]{1,100}){1,30}/?|[\w-]{1,100}\.(?:[a-z]{1,4}|toml|yaml|json)\b)"
)
# Keywords and types of many languages: an answer may put them in backticks though the cited lines lack them.
_COMMON_KEYWORDS = frozenset(
    """none true false null nil undefined self this cls super int str string bool boolean float double char byte bytes
    list dict map set tuple array object any void number function func def fn class struct return if else for while
    import from let const var new public private static async await try except catch raise throw throws""".split()
)
# What a sentence says not to be there: the words before a name, back to the last comma.
_NEGATED = re.compile(
    r"\b(?:not|no|none|never|without|neither|nor|cannot|unlike|except|\w+n't|instead of|rather than)\b[^,;:()\"]*$",
    re.IGNORECASE,
)
_NEGATION_REACH = 120
_MODULE_NAME = re.compile(r"(?<![\w.])([\w.]{1,100})`? (?:module|file|package|script|folder)\b")


@dataclass(frozen=True, slots=True)
class SentenceNames:
    """The code names in a sentence. `required` must be in the cited lines.

    `optional` are keywords, module names, and what the sentence says not to be there.

    `prose` is the sentence without the code in backticks.
    """

    required: frozenset[str]
    optional: frozenset[str]
    prose: str


def extract_names(sentence: str, known: frozenset[str]) -> SentenceNames:
    """Names in backticks, names that look like code, paths, and the `known` names."""
    names: set[str] = set()
    negated: set[str] = set()
    prose_parts, position = [], 0
    for start, end, code in find_code_spans(sentence):
        found = set(_find_names_in_code(code))
        names |= found
        negated |= found if _NEGATED.search(sentence[max(0, start - _NEGATION_REACH) : start]) else set()
        prose_parts.append(sentence[position:start])
        position = end
    prose = " ".join([*prose_parts, sentence[position:]])
    for word in _WORD_LIKE.findall(prose):
        if _looks_like_code(word) or word in known:
            names.add(word.removesuffix("()"))
    for path in _PATH_LIKE.findall(prose):
        if "/" in path and "." in path.rsplit("/", 1)[-1]:
            names.add(path)
    optional = {name for name in names if name.lower() in _COMMON_KEYWORDS}
    optional |= negated | (names & set(_MODULE_NAME.findall(sentence)))
    return SentenceNames(frozenset(names - optional), frozenset(optional), prose)


def _find_names_in_code(code: str) -> Iterator[str]:
    """The names in code between backticks; a path is one name."""
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


def contains_name(name: str, text: str, path: str) -> bool:
    """Whether the text of a span, or its path, contains a name; of a dotted name the last part is enough.

    Of a name of one word, case and ending are not compared: prose writes `HEAD` and `abort` for `head` and `aborted`.
    """
    is_path = "/" in name or _PATH_LIKE.fullmatch(name)
    if is_path and (path == name or path.endswith(f"/{name}") or path.startswith(f"{name}/") or name in text):
        return True
    last = re.split(r"\.|::|->|#", name)[-1]
    if any(has_word(word, text) for word in (name, last)):
        return True
    is_one_word = name.isalpha() and (name.islower() or name.isupper())
    return is_one_word and stem(name.lower()) in {stem(word) for word in identifiers(text.lower())}


def contains_parts(name: str, text: str) -> bool:
    """Whether the parts of a name follow each other in a word of a text: `put` in `PUT`, `NaN` in `isNaN`."""
    wanted = _stem_parts(name)
    words = (_stem_parts(word) for word in identifiers(text))
    return bool(wanted) and any(
        parts[at : at + len(wanted)] == wanted for parts in words for at in range(len(parts) - len(wanted) + 1)
    )


def _stem_parts(name: str) -> list[str]:
    return [stem(part) for part in split_identifier(name)]


def has_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (_is_word_character(before) or _is_word_character(after)):
            return True
        at = text.find(word, at + 1)
    return False


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"
