"""Compare the words of a sentence with the words of the lines that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from bottega.source.words import STOP_WORDS, identifiers, split_identifier, stem

# Synonyms, one group a row: an answer says "throws" where the code says `raise`. The first word represents its row.
_SYNONYMS = """
raise throw exception error fail failure panic
delete remove drop erase discard del unlink pop
create build construct make new instantiate generate
store save persist keep remember
send emit dispatch publish
parse decode deserialize unmarshal
encode serialize dump marshal
start begin launch boot
stop end finish terminate quit exit
wait sleep delay pause
print display render
directory folder dir
argument parameter param arg args option kwarg kwargs
message msg
request req
response resp reply res
configuration config settings setting conf cfg
maximum max most limit bound cap exceed exceeds
minimum min least
append add insert push
initialize init initialise setup
authenticate auth authentication login
database db
string str text
dictionary dict mapping map
array list slice sequence
boolean bool
integer int number
function func callback
repeat loop iterate retry
concurrent parallel thread goroutine async asynchronous
before prior previous
after later next
temporary temp tmp
environment env
variable var
expression expr
context ctx
reference ref pointer ptr
character char
statistics stats
""".strip()
# Generic words that sentences about any code contain: they do not tell one span from another.
_GENERIC = """
function method class module file package code line lines name named define defined definition implement
implementation call called calls caller done handle handled handling value values object instance type types given
return returns returned set sets provide provides contain contains hold holds allow allows make makes take takes
perform performs work works responsible represent represents via based corresponding specified specific inside within
where whether documentation according example helper simple current default new one two first second several all any
every data way thing case part attribute property field constant variable struct interface need needs want ensure
ensures much many support supports check checks process located found find determine determines happen happens
""".split()
# Operators and keywords, and the words of prose that describe them.
_SYNTAX: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\+=|\+\+"), "append increase increment add sum count"),
    (re.compile(r"-=|--"), "subtract decrease decrement"),
    (
        re.compile(r"(?<![-=<>])[<>]=?(?![<>])"),
        "exceed above below greater less more maximum minimum larger smaller compare",
    ),
    (re.compile(r"==|!="), "equal equals same differ compare match"),
    (re.compile(r"\bfor\b|\bwhile\b|\.each\b|\.forEach\b"), "loop iterate repeat until"),
    (re.compile(r"\bif\b|\bunless\b|\bwhen\b|\?"), "condition unless otherwise only"),
    (re.compile(r"\bexcept\b|\bcatch\b|\brescue\b"), "catch ignore suppress swallow exception"),
    (re.compile(r"\bNone\b|\bnull\b|\bnil\b|\bundefined\b"), "empty missing absent nothing null"),
    (re.compile(r"\bnot\b|!|\bno\b|\bwithout\b|\bnever\b|\bunless\b|n't\b"), "not"),
)
_NEGATION = re.compile(r"\b(?:not|never|cannot|without|no)\b|n't\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d[\d_,]*(?:\.\d+)?(?![\w])")
_LINE_NUMBERS = re.compile(r"\blines?\s+\d+(?:\s*(?:-|–|to|and|,)\s*\d+)*", re.IGNORECASE)
_LEAST_DIGITS = 2
_LEAST_WORDS = 2


@lru_cache(maxsize=1)
def _read_synonyms() -> Mapping[str, str]:
    return {stem(word): stem(row.split()[0]) for row in _SYNONYMS.splitlines() for word in row.split()}


@lru_cache(maxsize=1)
def _collect_generic() -> frozenset[str]:
    return frozenset(_unify(word) for word in _GENERIC)


@lru_cache(maxsize=100_000)
def _unify(word: str) -> str:
    """The stem of a word, or the stem that represents its synonyms."""
    root = stem(word)
    return _read_synonyms().get(root, root)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a sentence without its names: stems, one for each group of synonyms, and numbers of several digits.

    `generic` are the words that sentences about any code contain.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    generic: frozenset[str] = frozenset()

    @property
    def is_comparable(self) -> bool:
        """Whether there is enough to compare: one word alone matches unrelated lines too often."""
        return bool(self.numbers) or len(self.words) >= _LEAST_WORDS


def extract_wording(prose: str, names: Iterable[str]) -> Wording:
    """The wording of a sentence; `prose` is the sentence without its code, `names` are the names in that code."""
    prose = _LINE_NUMBERS.sub(" ", prose)
    named = {_unify(part) for name in names for word in identifiers(name) for part in split_identifier(word)}
    words = _collect_stems(prose) - named
    if _NEGATION.search(prose):
        words.add("not")
    numbers = frozenset(number for number in _find_numbers(prose) if len(number) >= _LEAST_DIGITS)
    return Wording(frozenset(words - _collect_generic()), numbers, frozenset(words & _collect_generic()))


def collect_vocabulary(text: str) -> frozenset[str]:
    """The words, numbers and operators of some lines, in the same form as a `Wording`."""
    vocabulary = _collect_stems(text) | _find_numbers(text)
    for operator, words in _SYNTAX:
        if operator.search(text):
            vocabulary.update(map(_unify, words.split()))
    return frozenset(vocabulary)


def measure_overlap(wording: Wording, vocabulary: frozenset[str]) -> float:
    """The share of a sentence's words that a vocabulary contains, 0 to 1; 0 when it lacks one of the numbers."""
    if not wording.numbers <= vocabulary:
        return 0.0
    return len(wording.words & vocabulary) / len(wording.words) if wording.words else 1.0


def _collect_stems(text: str) -> set[str]:
    return {
        _unify(part)
        for word in identifiers(text)
        for part in split_identifier(word)
        if (len(part) > 2 or not part.isascii()) and part not in STOP_WORDS
    }


def _find_numbers(text: str) -> set[str]:
    return {re.sub(r"[_,]", "", number) for number in _NUMBER.findall(text)}
