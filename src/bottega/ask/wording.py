"""Compare the words of a sentence with the words of the lines that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from bottega.index.words import STOP_WORDS, identifiers, parts, stem

# Words of one meaning: an answer says "throws" where the lines say `raise`. The first of a row stands for all.
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
# What sentences about code say whatever the code does: such a word tells nothing of the lines.
_GENERIC = """
function method class module file package code line lines name named define defined definition implement
implementation call called calls caller done handle handled handling value values object instance type types given
return returns returned set sets provide provides contain contains hold holds allow allows make makes take takes
perform performs work works responsible represent represents via based corresponding specified specific inside within
where whether documentation according example helper simple current default new one two first second several all any
every data way thing case part attribute property field constant variable struct interface need needs want ensure
ensures much many support supports check checks process located found find determine determines happen happens
""".split()
# The sign or keyword of a language that says what a word of prose says.
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
_TELLING_DIGITS = 2
_LEAST_WORDS = 2


@lru_cache(maxsize=1)
def _meanings() -> Mapping[str, str]:
    return {stem(word): stem(row.split()[0]) for row in _SYNONYMS.splitlines() for word in row.split()}


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return frozenset(_meaning(word) for word in _GENERIC)


@lru_cache(maxsize=100_000)
def _meaning(word: str) -> str:
    root = stem(word)
    return _meanings().get(root, root)


@dataclass(frozen=True, slots=True)
class Wording:
    """What a sentence says beside the names in it: stems with one form per meaning, and its telling numbers.

    `generic` are words that sentences about any code have.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    generic: frozenset[str] = frozenset()

    @property
    def is_comparable(self) -> bool:
        """Whether there is enough to compare: a single word is as often the sentence's own as the lines'."""
        return bool(self.numbers) or len(self.words) >= _LEAST_WORDS


def wording(prose: str, names: Iterable[str]) -> Wording:
    """The wording of a sentence; `prose` is the sentence without its code, `names` are the names it shows as code."""
    prose = _LINE_NUMBERS.sub(" ", prose)
    named = {_meaning(part) for name in names for word in identifiers(name) for part in parts(word)}
    words = _meant(prose) - named
    if _NEGATION.search(prose):
        words.add("not")
    numbers = frozenset(number for number in _numbers(prose) if len(number) >= _TELLING_DIGITS)
    return Wording(frozenset(words - _generic()), numbers, frozenset(words & _generic()))


def vocabulary(text: str) -> frozenset[str]:
    """All that lines can be said to say: their words, what their signs and keywords mean, and their numbers."""
    found = set(_meant(text)) | set(_numbers(text))
    for sign, words in _SYNTAX:
        if sign.search(text):
            found.update(map(_meaning, words.split()))
    return frozenset(found)


def share(said: Wording, lines: frozenset[str]) -> float:
    """How much of a sentence's wording stands in the lines, 0 to 1; 0 when a number does not."""
    if not said.numbers <= lines:
        return 0.0
    return len(said.words & lines) / len(said.words) if said.words else 1.0


def _meant(text: str) -> set[str]:
    return {
        _meaning(part)
        for word in identifiers(text)
        for part in parts(word)
        if (len(part) > 2 or not part.isascii()) and part not in STOP_WORDS
    }


def _numbers(text: str) -> set[str]:
    return {re.sub(r"[_,]", "", number) for number in _NUMBER.findall(text)}
