"""Which language a request asks for, read from its words alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bottega.source.excerpts import language_shown_in, without_code
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
from bottega.source.wording import Mention, is_data, mentions

# The wish stands at one end of a long request; what lies between is material.
_LOOK = 8_000


def language_asked_for(request: str) -> Language | None:
    """Name the language a request wants its answer in, or `None` when that is unclear.

    Clues count in this order: "in Go" or "port this to Go", the last one; what is to be made ("a Go service",
    "using Go", "an HTML page"), the first one; code, fence tags and file names shown; the only language
    mentioned. A clue that points two ways ends the search. Words that are also English need a capital or a
    plain place, and a data format is asked for only where it is the thing to be written.
    """
    text = request if len(request) <= 2 * _LOOK else f"{request[:_LOOK]}\n{request[-_LOOK:]}"
    prose = without_code(text)
    for clue in _clues(list(mentions(prose)), text, prose):
        if clue:
            return next(iter(clue)) if len(clue) == 1 else None
    return None


def _clues(names: Sequence[Mention], request: str, prose: str) -> Iterator[frozenset[Language]]:
    """Yield what each kind of clue points to: nothing, one language, or several."""
    yield _stated(names)
    yield frozenset([name.language for name in names if is_described(name) or is_wanted_format(name)][:1])
    shown = language_shown_in(request)
    yield frozenset() if shown is None else frozenset({shown})
    yield frozenset(name.language for name in names if is_plain_mention(name))
    written = [name.language for name in names if is_written_in(name)]
    wants_code = CODE_WORD.search(prose) is not None
    yield frozenset([language for language in written if not (wants_code and is_data(language))][-1:])


def _stated(names: Sequence[Mention]) -> frozenset[Language]:
    """Take the last "in X", with the rest of its list; formats beside a language ("in Go and SQL") drop out."""
    for start in reversed(range(len(names))):
        first = names[start]
        listed = [first, *_list_after(names, start)] if is_stated(first) else []
        has_language = any(not name.is_format for name in listed)
        if has_language or (listed and is_ported_to(first)):
            return frozenset(name.language for name in listed if first.is_format or not name.is_format)
    return frozenset()


def _list_after(names: Sequence[Mention], start: int) -> Iterator[Mention]:
    for first, name in zip(names[start:], names[start + 1 :], strict=False):
        if not is_listed_after(name, first):
            return
        yield name
