"""Frames of a traceback in the query: the functions that they name, and what their failing lines call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bottega.index import SymbolRow
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.places import is_same_file
from bottega.retrieve.search.query import CALLED, ParsedQuery

# `File "a.py", line 3, in f` as Python prints it, `a.py in f(` as Django's pages do, `a.py:3: in f` as pytest does.
_FRAME = re.compile(
    r'File "(?P<file>[^"\n]{1,500})", line (?P<line>\d{1,8}), in (?P<function>\w+)(?:\n[ \t]*+(?P<code>[^\n]{0,500}))?'
    r"|(?<![\w./-])(?P<short>[\w./-]++)(?<=\.py) in (?P<called>\w+)\("
    r"|(?<![\w./-])(?P<numbered>[\w./-]++)(?<=\.py):(?P<at>\d{1,8}):? in (?P<inside>\w+)"
    r"(?:\n[ \t>]*+(?P<quoted>[^\n]{0,500}))?"
)
_MOST_FRAMES = 100
# What the last frames call is looked at.
_FOLLOWED = 3
# How much less a frame counts with each later one.
_DECAY = 0.25


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame as written; `line` is 0 and `code` empty where the traceback has none."""

    path: str
    function: str
    line: int
    code: str


@dataclass(frozen=True, slots=True)
class LocatedFrame:
    """A symbol that a frame names. `weight` is 1 for the last frame that lies in the repository, less before it."""

    symbol: SymbolRow
    frame: Frame
    weight: float


def parse_frames(text: str) -> list[Frame]:
    """The last frames of the tracebacks in a text, in their order."""
    found = [_build_frame(match) for match in _FRAME.finditer(text.replace("\\", "/"))]
    return found[-_MOST_FRAMES:]


def _build_frame(match: re.Match[str]) -> Frame:
    path = match["file"] or match["short"] or match["numbered"]
    function = match["function"] or match["called"] or match["inside"]
    return Frame(path, function, int(match["line"] or match["at"] or 0), match["code"] or match["quoted"] or "")


@dataclass(frozen=True, slots=True)
class Traceback:
    """What a traceback in a query says of the repository, by the id of the symbol.

    `frames` are the symbols that its frames name, `called` those that the failing lines of the last frames call.
    """

    frames: Mapping[int, float]
    called: Mapping[int, float]
    called_files: Sequence[int]


NO_TRACEBACK = Traceback({}, {}, ())


def read_traceback(query: ParsedQuery, corpus: Corpus) -> Traceback:
    located = _locate_frames(parse_frames(query.text), corpus)
    if not located:
        return NO_TRACEBACK
    frames: dict[int, float] = {}
    for each in located:
        frames[each.symbol.id] = max(frames.get(each.symbol.id, 0.0), each.weight)
    called = _find_called(located, corpus)
    files = dict.fromkeys(corpus.numbers[symbol.file_id] for symbol, _ in called.values())
    return Traceback(frames, {number: weight for number, (_, weight) in called.items()}, tuple(files))


def _locate_frames(frames: Sequence[Frame], corpus: Corpus) -> list[LocatedFrame]:
    """The symbols that frames name, the last frame first; frames outside of the repository do not count."""
    found: list[LocatedFrame] = []
    distance = 0
    for frame in reversed(frames):
        symbols = list(_find_symbols(frame, corpus))
        found += [LocatedFrame(symbol, frame, 1 / (1 + _DECAY * distance)) for symbol in symbols]
        distance += bool(symbols)
    return found


def _find_symbols(frame: Frame, corpus: Corpus) -> Iterator[SymbolRow]:
    """The definitions that a frame may mean: of several with the same name, the one around its line."""
    for number in corpus.tails.get(frame.path.rsplit("/", 1)[-1], ()):
        if is_same_file(frame.path, corpus.paths[number]):
            symbols = corpus.snapshot.base.get_symbols_for_file(corpus.snapshot.files[number].id)
            named = [symbol for symbol in symbols if symbol.name == frame.function]
            yield from [symbol for symbol in named if symbol.first <= frame.line <= symbol.last] or named


def _find_called(located: Sequence[LocatedFrame], corpus: Corpus) -> dict[int, tuple[SymbolRow, float]]:
    """What the failing lines of the last frames call; less where the receiver's type leaves it open."""
    found: dict[int, tuple[SymbolRow, float]] = {}
    for each in located[:_FOLLOWED]:
        names = set(CALLED.findall(each.frame.code))
        for callee in corpus.snapshot.base.get_symbol_neighbors(each.symbol.id, "callees", ["calls"]) if names else ():
            symbol, weight = callee.symbol, each.weight * callee.confidence
            is_meant = symbol is not None and symbol.name in names and symbol.file_id in corpus.numbers
            if symbol is not None and is_meant and weight > found.get(symbol.id, (symbol, 0.0))[1]:
                found[symbol.id] = symbol, weight
    return found
