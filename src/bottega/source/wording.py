"""Find the names of programming languages in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from bottega.source.languages import Language, known_languages

# Data, markup and queries: a request that mentions them mostly wants code that deals with them.
_DATA = frozenset({"JSON", "JSON with Comments", "YAML", "TOML", "XML", "Markdown"})
_FORMATS = _DATA | {"SQL", "HTML", "CSS", "SCSS", "GraphQL", "Protobuf", "LaTeX"}
# English words, given names and single letters: they count only in a clear phrase.
_AMBIGUOUS = frozenset(
    (
        *("assembler", "assembly", "bash", "c", "dart", "elixir", "elm", "go", "groovy", "julia", "nix", "r", "ruby"),
        *("rust", "shell", "solidity", "svelte", "swift", "terraform", "vue", "zig"),
    )
)
# Aliases that mean something else in prose: CS is a school subject, `make` a verb, TF a library.
_NOT_IN_PROSE = frozenset(
    (
        *("cc", "cjs", "cs", "docker", "erl", "ex", "exs", "fs", "h", "hs", "jl", "kt", "kts", "make", "md", "mjs"),
        *("mk", "ml", "pl", "rs", "sh", "sol", "svg", "tf"),
    )
)
# The characters of context on either side of a name.
_CONTEXT = 160
_VERSION = r"(?:[ ]?v?\d+(?:\.\d+)*(?![\w.]))?"


@dataclass(frozen=True, slots=True)
class Mention:
    """A language's name in a text, from `start` to `end`, with the text before and after it."""

    word: str
    language: Language
    start: int
    end: int
    before: str
    after: str

    @property
    def lead(self) -> str:
        """The part of its sentence before the name."""
        return re.split(r"[.!?:]\s|\n", self.before)[-1]

    @property
    def is_format(self) -> bool:
        return is_format(self.language)

    @property
    def is_ambiguous(self) -> bool:
        """The word is also an English word, a given name or a letter."""
        return self.word.lower() in _AMBIGUOUS

    @property
    def is_clear(self) -> bool:
        """The word alone can be taken for a language: `Go` and `kotlin` can, `go` and `SWIFT` cannot."""
        return not self.is_ambiguous or self.word.istitle()


def find_mentions(text: str) -> Iterator[Mention]:
    """Find the names of languages in a text, the longest first: `C++` is no `C`, and nor is `C-style`."""
    for match in _name_pattern().finditer(text):
        word, (start, end) = match["name"], match.span()
        before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
        yield Mention(word, _words_to_languages()[word.lower()], start, end, before, after)


def is_format(language: Language) -> bool:
    return language.name in _FORMATS


def is_data(language: Language) -> bool:
    return language.name in _DATA


@cache
def _words_to_languages() -> Mapping[str, Language]:
    words = {word.lower(): lang for lang in known_languages() for word in (lang.name, *lang.aliases)}
    return {word: lang for word, lang in words.items() if word not in _NOT_IN_PROSE}


@cache
def _name_pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(word) for word in sorted(_words_to_languages(), key=len, reverse=True))
    return re.compile(rf"(?<![\w+#.$/-])(?P<name>{names}){_VERSION}(?![\w+#]|[-'’./]\w)", re.IGNORECASE)
