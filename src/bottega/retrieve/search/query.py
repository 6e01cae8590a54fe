"""Parse a query: a few words, or a whole issue with its traceback."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

from bottega.source.words import STOP_WORDS, identifiers, stem, terms_of

_LONG_LINES, _LONG_TEXT = 2, 300
_SHORT_FORM = 0.3
# Words of a query that are used; a pasted log may contain more.
_MOST_WORDS = 10_000
# A name begins after a non-word character and matches possessively, so that the time is linear in its length.
CALLED = re.compile(r"(?<!\w)([^\W\d]\w*+)\(")
_QUOTED = re.compile(r"`([^`\n]+)`")
DOTTED = re.compile(r"(?<!\w)[^\W\d]\w*+(?:(?:\.|::|/)[^\W\d]\w*+)++")
# Spellings of names in code that prose does not use: camelCase, snake_case, CONSTANT, E108.
_CODE_LIKE = re.compile(
    r"[A-Z]+[a-z0-9]+[A-Z]\w*|[a-z]+[A-Z]\w*|\w*[a-zA-Z0-9]_\w+|_\w+|[A-Z][A-Z0-9_]{3,}|[A-Za-z]{1,3}\d{2,}"
)
_SYMBOL = re.compile(r"\s*[^\W\d]\w*(?:(?:::|\.|\\|->|#)\w+)*\s*")
_CODE_LINES = re.compile(r"```[\s\S]*?```|^(?:>>>|\s{4,}|\t).*$", re.MULTILINE)

Weights = Mapping[int, float]


@dataclass(frozen=True)
class ParsedQuery:
    text: str

    @cached_property
    def title(self) -> str:
        return next((line for line in self.text.splitlines() if line.strip()), "").strip()

    @cached_property
    def is_long(self) -> bool:
        lines = sum(1 for line in self.text.splitlines() if line.strip())
        return lines > _LONG_LINES or len(self.text) > _LONG_TEXT

    @cached_property
    def is_symbol(self) -> bool:
        """Whether the query is one name and nothing else."""
        text = self.text.strip()
        if not _SYMBOL.fullmatch(text):
            return False
        return not text.islower() or "_" in text

    @cached_property
    def is_bare(self) -> bool:
        """Whether the query has only single letters and stop words: then all of them count."""
        return not any(_is_telling(word) for word in self.words)

    @cached_property
    def words(self) -> Counter[str]:
        return Counter(identifiers(self.text)[:_MOST_WORDS])

    @cached_property
    def telling_words(self) -> list[str]:
        return [word for word in self.words if _is_telling(word)]

    @cached_property
    def title_words(self) -> Counter[str]:
        return Counter(identifiers(self.title)[:_MOST_WORDS])

    @cached_property
    def code_words(self) -> Counter[str]:
        """Words that are names in code: quoted, called, dotted, or spelt like one."""
        found: Counter[str] = Counter()
        for quoted in _QUOTED.findall(self.text):
            found.update(identifiers(quoted))
        found.update(CALLED.findall(self.text))
        for dotted in DOTTED.findall(self.text):
            found.update(identifiers(dotted))
        for word, count in self.words.items():
            if _CODE_LIKE.fullmatch(word):
                found[word] += count
        return found

    def is_code(self, word: str) -> bool:
        return self.is_symbol or word in self.code_words

    @cached_property
    def terms(self) -> Weights:
        return weigh(self.words, every=self.is_bare)

    @cached_property
    def title_terms(self) -> Weights:
        return weigh(self.title_words, every=self.is_bare)

    @cached_property
    def code_terms(self) -> Weights:
        return weigh(self.code_words, every=self.is_bare)

    @cached_property
    def prose_terms(self) -> Weights:
        return weigh(Counter(identifiers(_CODE_LINES.sub(" ", self.text))[:_MOST_WORDS]), every=self.is_bare)


def weigh(words: Mapping[str, int], *, every: bool) -> Weights:
    """Terms with the square root of their count; without stop words unless `every` is set.

    Abbreviations of spelt-out words are added with less weight.
    """
    counted: Counter[int] = Counter()
    short: dict[int, float] = {}
    for word, count in words.items():
        if every or _is_telling(word):
            for number in terms_of(word):
                counted[number] += count
            for number in _short_forms().get(stem(word.lower()), ()):
                short[number] = _SHORT_FORM
    return short | {number: math.sqrt(count) for number, count in counted.items()}


def _is_telling(word: str) -> bool:
    return len(word) > 1 and word.lower() not in STOP_WORDS


@cache
def _short_forms() -> Mapping[str, tuple[int, ...]]:
    text = resources.files(__package__).joinpath("abbreviations.toml").read_text(encoding="utf-8")
    return {
        stem(word): tuple(number for form in forms for number in terms_of(form))
        for word, forms in tomllib.loads(text).items()
    }
