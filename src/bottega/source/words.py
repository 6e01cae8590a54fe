"""Convert source text to terms: identifiers are split, stemmed and hashed to numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Terms = NDArray[np.uint64]

# A longer run of letters, such as encoded data, counts as several words.
_LONGEST_WORD = 256
IDENTIFIER = re.compile(rf"[^\W\d]\w{{0,{_LONGEST_WORD - 1}}}")
# Identifiers up to this length are cached; longer ones are rare and their terms many.
_LONGEST_REMEMBERED = 64
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\x00+")
# Scripts without blanks between words: a token is a whole clause, so pairs of characters are the words.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_SUFFIXES = tuple(
    "izations ization ations ation ating ators ator ated ates ate ings ing ments ment ions ion ers er ors or ies ied "
    "ed es able ible ly al ance ence e s y".split()
)
_SHORT_SUFFIXES = ("ings", "ing", "ed", "es", "s")
_MINIMAL_STEM = 4
_MINIMAL_SHORT_STEM = 3
# Stop words of queries; they are indexed, because `for` may be a name.
STOP_WORDS = frozenset(
    """a an and are as at be by do does for from how in into is it its of on or so that the their them this to used
    via was what when where which who why with work works your not but if then there these has have had can will
    would should could we i you they he she my me our am been being than too very just also because about after
    before between both during each few more most other some such only own same don t s re ve ll doesn isn get got
    using use uses""".split()
)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Cut one ending, so that `dispatching`, `dispatcher` and `dispatch` meet."""
    if len(word) <= _MINIMAL_STEM or not word.isalpha():
        is_plural = len(word) == _MINIMAL_STEM and word[-1] == "s" and word[-2] not in "su"
        return word[:-1] if is_plural else word
    for suffixes, least in ((_SUFFIXES, _MINIMAL_STEM), (_SHORT_SUFFIXES, _MINIMAL_SHORT_STEM)):
        ending = next((s for s in suffixes if len(word) - len(s) >= least and word.endswith(s)), "")
        if ending:
            word = word[: -len(ending)]
            break
    is_doubled = len(word) > _MINIMAL_SHORT_STEM and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if is_doubled else word


def split_identifier(identifier: str) -> list[str]:
    """Split at `_`, at a change of case and at digits; lower case."""
    if identifier.isascii():
        return [part.lower() for part in _PART.findall(identifier)]
    shape = "".join(map(_choose_shape, identifier))
    found = (identifier[place.start() : place.end()].lower() for place in _PART.finditer(shape))
    return [word for part in found for word in _split_pairs(part)]


def term(text: str) -> int:
    """The number of a term, the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class IdentifierTerms(NamedTuple):
    """The terms of an identifier: its stemmed parts and, if it has several, the whole. `telling`: no stop words."""

    terms: tuple[int, ...]
    telling: tuple[int, ...]


def read_identifier(identifier: str) -> IdentifierTerms:
    return _read_cached(identifier) if len(identifier) <= _LONGEST_REMEMBERED else _read(identifier)


def _read(identifier: str) -> IdentifierTerms:
    stems = [_stem_to_term(part) for part in split_identifier(identifier)]
    terms = [number for _, number in stems]
    if len(terms) > 1:
        terms.append(whole_term(identifier))
    return IdentifierTerms(
        tuple(terms), tuple(number for word, number in stems if len(word) > 1 and word not in STOP_WORDS)
    )


_read_cached = lru_cache(maxsize=400_000)(_read)


def terms_of(identifier: str) -> tuple[int, ...]:
    """The stemmed parts of an identifier, and the whole if it has more than one."""
    return read_identifier(identifier).terms


def whole_term(identifier: str) -> int:
    """The term of the whole identifier, equal for `JoinSet` and `join_set`."""
    return term("=" + identifier.lower().replace("_", ""))


def tally(words: Iterable[str] | Mapping[str, int]) -> dict[int, int]:
    """Count terms; a mapping brings its own counts."""
    counted = words if isinstance(words, Mapping) else Counter(words)
    total: dict[int, int] = {}
    for word, count in counted.items():
        for number in terms_of(word):
            total[number] = total.get(number, 0) + count
    return total


def identifiers(text: str) -> list[str]:
    return IDENTIFIER.findall(text)


def build_grams(words: Iterable[str]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Adjacent pairs and triples of stemmed words, across blanks, `_` and case; each once, as 32-bit hashes."""
    return build_neighbour_grams(
        np.array([number for word in words for number in read_identifier(word).telling], np.uint64)
    )


def build_neighbour_grams(line: Terms) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """As `build_grams`, of words that are terms already."""
    two = _mix(line[:-1], line[1:]) if len(line) > 1 else line[:0]
    three = _mix(_mix(line[:-2], line[1:-1]), line[2:]) if len(line) > 2 else line[:0]
    return _deduplicate(_fold(two)), _deduplicate(_fold(three))


def hash_pairs(line: Terms) -> NDArray[np.uint32]:
    """A number for every pair of adjacent words, in order."""
    return _fold(_mix(line[:-1], line[1:]))


@lru_cache(maxsize=200_000)
def _stem_to_term(part: str) -> tuple[str, int]:
    word = stem(part)
    return word, term(word)


def _mix(left: Terms, right: Terms) -> Terms:
    return (left * np.uint64(0x9E3779B97F4A7C15)) ^ (right + np.uint64(0x632BE59BD9B4E019))


def _deduplicate(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """As `numpy.unique`, but faster: sorts in place."""
    numbers.sort()
    is_first = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=is_first[1:])
    return numbers[is_first]


def _fold(numbers: Terms) -> NDArray[np.uint32]:
    return ((numbers * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(32)).astype(np.uint32)


def _choose_shape(sign: str) -> str:
    """An ASCII character of the same class, so that `Ö` is split as `O` is; NUL for letters without case."""
    if sign.isascii():
        return sign
    if sign.isupper():
        return "A"
    if sign.islower():
        return "a"
    return "0" if sign.isdigit() else "\0"


def _split_pairs(part: str) -> list[str]:
    if not _UNSPACED.search(part) or len(part) < 3:
        return [part]
    return [part[at : at + 2] for at in range(len(part) - 1)]
