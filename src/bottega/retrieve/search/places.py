"""Signals from places that the question names: paths, modules, frames of a traceback."""

from __future__ import annotations

import math
import re

import numpy as np

from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import DOTTED, Query

_FRAME = re.compile(
    r"File \"([^\"]+)\", line \d+|\bat .*?\(?((?:[\w.-]+/)*[\w.-]+\.\w+):\d+|^\s*((?:[\w.-]+/)+[\w.-]+\.\w+):\d+",
    re.MULTILINE,
)
_PATH = re.compile(r"[\w./-]+\.[A-Za-z]{1,5}\b")
_MOST_OF_A_MODULE = 3.0


def place_signals(query: Query, corpus: Corpus) -> dict[str, Floats]:
    text = query.text.replace("\\", "/")
    signals = {name: np.zeros(corpus.size, np.float32) for name in ("qp", "qm", "qt")}
    if "/" not in text and "." not in text:
        return signals
    _frames(text, corpus, signals["qt"])
    _paths(_FRAME.sub(" ", text), corpus, signals["qp"])
    _modules(text, corpus, signals["qm"])
    return signals


def _frames(text: str, corpus: Corpus, found: Floats) -> None:
    """The last frame is where it broke; those before it count less and less."""
    frames = ["".join(groups) for groups in _FRAME.findall(text)]
    for distance, frame in enumerate(reversed(frames)):
        for number in corpus.tails.get(frame.rsplit("/", 1)[-1], ()):
            if frame.endswith(corpus.paths[number]) or corpus.paths[number].endswith(f"/{frame}"):
                found[number] = max(found[number], 1 / (1 + 0.25 * distance))


def _paths(text: str, corpus: Corpus, found: Floats) -> None:
    for raw in set(_PATH.findall(text)):
        path = raw.lstrip("./")
        same_name = corpus.tails.get(path.rsplit("/", 1)[-1], ())
        for number in same_name:
            whole = corpus.paths[number]
            if path == whole or path.endswith(f"/{whole}"):
                found[number] += 2
            elif whole.endswith(f"/{path}"):
                found[number] += 1 if "/" in path else 1.5 / max(1, sum(not corpus.is_test[n] for n in same_name))


def _modules(text: str, corpus: Corpus, found: Floats) -> None:
    """`a.b.c`: the longest beginning that is a file."""
    for dotted in set(DOTTED.findall(text)):
        names = re.split(r"\.|::|/", dotted)
        for cut in range(len(names), 0, -1):
            files = corpus.modules.get(".".join(names[:cut]))
            if files and (cut > 1 or (len(files) == 1 and len(names) > 1)):
                share = (1 if cut == len(names) else 0.8) / math.sqrt(len(files)) * min(1, cut / 2)
                for number, is_whole in files:
                    found[number] += (1 if is_whole else 0.6) * share
                break
    np.minimum(found, _MOST_OF_A_MODULE, out=found)
