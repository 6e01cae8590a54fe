"""Detect the programming language that a request asks for, from its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bottega.source.excerpts import detect_shown_language, remove_code
from bottega.source.languages import Language
from bottega.source.phrases import (
    CODE_WORD,
    is_described,
    is_listed_after,
    is_plain_mention,
    is_ported_to,
    is_stated,
    is_wanted_format,
    is_written_in,
)
from bottega.source.wording import Mention, find_mentions, is_data

# A long request names the language at its beginning or its end; between them is pasted code or data.
_LONGEST_END = 8_000


def detect_requested_language(request: str) -> Language | None:
    """Return the language a request asks for, or `None` when that is unclear.

    Clues count in this order: "in Go" or "port this to Go", the last one; what is to be made ("a Go service",
    "using Go", "an HTML page"), the first one; code, fence tags and file names in the request; the only language
    mentioned. A clue that names two languages ends the search. Words that are also English need a capital or a
    clear phrase, and a data format counts only where it is what should be written.
    """
    text = request if len(request) <= 2 * _LONGEST_END else f"{request[:_LONGEST_END]}\n{request[-_LONGEST_END:]}"
    prose = remove_code(text)
    for clue in _list_clues(list(find_mentions(prose)), text, prose):
        if clue:
            return next(iter(clue)) if len(clue) == 1 else None
    return None


def _list_clues(names: Sequence[Mention], request: str, prose: str) -> Iterator[frozenset[Language]]:
    """Yield the languages of each kind of clue: none, one, or several."""
    yield _find_stated(names)
    yield frozenset([name.language for name in names if is_described(name) or is_wanted_format(name)][:1])
    shown = detect_shown_language(request)
    yield frozenset() if shown is None else frozenset({shown})
    yield frozenset(name.language for name in names if is_plain_mention(name))
    written = [name.language for name in names if is_written_in(name)]
    wants_code = CODE_WORD.search(prose) is not None
    yield frozenset([language for language in written if not (wants_code and is_data(language))][-1:])


def _find_stated(names: Sequence[Mention]) -> frozenset[Language]:
    """The last "in X" with the rest of its list; formats beside a language ("in Go and SQL") do not count."""
    for start in reversed(range(len(names))):
        first = names[start]
        listed = [first, *_find_list_after(names, start)] if is_stated(first) else []
        has_language = any(not name.is_format for name in listed)
        if has_language or (listed and is_ported_to(first)):
            return frozenset(name.language for name in listed if first.is_format or not name.is_format)
    return frozenset()


def _find_list_after(names: Sequence[Mention], start: int) -> Iterator[Mention]:
    for first, name in zip(names[start:], names[start + 1 :], strict=False):
        if not is_listed_after(name, first):
            return
        yield name
