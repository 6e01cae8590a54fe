"""Signals from paths, modules and traceback frames in the query."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np

from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import DOTTED, ParsedQuery

_QUOTED_FRAME = re.compile(r"File \"([^\"\n]+)\", line \d+")
# Matches only at the beginning of a path, so that the time is linear in its length and not quadratic.
_NUMBERED = re.compile(r"(?<![\w./-])([\w./-]++):\d+")
_FILE = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.\w+")
_AT = re.compile(r"\bat ")
_PATH = re.compile(r"(?<![\w./-])[\w./-]+\.[A-Za-z]{1,5}\b")
_MOST_OF_A_MODULE = 3.0
# Longer lines are no frames. Of more paths than these the first ones count, of frames the last ones.
_LONGEST_LINE, _LONGEST_PATH, _MOST_FRAMES, _MOST_PLACES = 2_000, 500, 100, 500
# Modules are indexed by at most so many parts.
_MOST_PARTS = 6


def compute_place_signals(query: ParsedQuery, corpus: Corpus) -> dict[str, Floats]:
    text = query.text.replace("\\", "/")
    signals = {
        name: np.zeros(corpus.size, np.float32) for name in ("path_in_query", "module_in_query", "traceback_in_query")
    }
    if "/" not in text and "." not in text:
        return signals
    frames, rest = _split_frames(text)
    _score_frames(frames, corpus, signals["traceback_in_query"])
    _score_paths(rest, corpus, signals["path_in_query"])
    _score_modules(text, corpus, signals["module_in_query"])
    return signals


def _split_frames(text: str) -> tuple[list[str], str]:
    """The files that frames of a traceback name, and the text without those frames."""
    frames: list[str] = []
    rest: list[str] = []
    for line in text.split("\n"):
        at = 0
        for start, end, path in _parse_frames(line) if len(line) <= _LONGEST_LINE else ():
            frames.append(path)
            rest.append(line[at:start])
            at = end
        rest.append(line[at:])
    return frames, "\n".join(rest)


def _parse_frames(line: str) -> Iterator[tuple[int, int, str]]:
    """`File "a.py", line 3`, `at f (a.js:3:1)` and `a/b.go:3` at the start of a line."""
    quoted = [(match.start(), match.end(), match[1]) for match in _QUOTED_FRAME.finditer(line)]
    if quoted:
        yield from quoted
        return
    before = 0
    for match in _NUMBERED.finditer(line):
        path = match[1].lstrip("/")
        if len(path) > _LONGEST_PATH or not _FILE.fullmatch(path):
            continue
        word = _AT.search(line, before, match.start())
        if word is not None or ("/" in path and not line[: match.start()].strip()):
            yield (word.start() if word is not None else before), match.end(), path
            before = match.end()


def _score_frames(frames: Sequence[str], corpus: Corpus, found: Floats) -> None:
    """The last frame is where the error occurred; earlier frames count less."""
    for distance, frame in enumerate(reversed(frames[-_MOST_FRAMES:])):
        for number in corpus.tails.get(frame.rsplit("/", 1)[-1], ()):
            if is_same_file(frame, corpus.paths[number]):
                found[number] = max(found[number], 1 / (1 + 0.25 * distance))


def is_same_file(written: str, path: str) -> bool:
    """Whether a path from elsewhere names a file: one is the tail of the other, or their last two parts are equal.

    An installed package has in site-packages/pkg/x.py what the repository keeps in src/pkg/x.py or lib/pkg/x.py.
    """
    written = written.removeprefix("./")
    if written == path or written.endswith(f"/{path}") or path.endswith(f"/{written}"):
        return True
    return "/" in written and "/" in path and written.split("/")[-2:] == path.split("/")[-2:]


def _score_paths(text: str, corpus: Corpus, found: Floats) -> None:
    for raw in list(dict.fromkeys(_PATH.findall(text)))[:_MOST_PLACES]:
        path = raw.lstrip("./")
        same_name = corpus.tails.get(path.rsplit("/", 1)[-1], ())
        for number in same_name:
            whole = corpus.paths[number]
            if path == whole or path.endswith(f"/{whole}"):
                found[number] += 2
            elif whole.endswith(f"/{path}"):
                found[number] += 1 if "/" in path else 1.5 / max(1, sum(not corpus.is_test[n] for n in same_name))


def _score_modules(text: str, corpus: Corpus, found: Floats) -> None:
    """`a.b.c`: the longest prefix that is a file."""
    for dotted in list(dict.fromkeys(DOTTED.findall(text)))[:_MOST_PLACES]:
        names = re.split(r"\.|::|/", dotted)
        for cut in range(min(len(names), _MOST_PARTS), 0, -1):
            files = corpus.modules.get(".".join(names[:cut]))
            if files and (cut > 1 or (len(files) == 1 and len(names) > 1)):
                share = (1 if cut == len(names) else 0.8) / math.sqrt(len(files)) * min(1, cut / 2)
                for number, is_whole in files:
                    found[number] += (1 if is_whole else 0.6) * share
                break
    np.minimum(found, _MOST_OF_A_MODULE, out=found)
