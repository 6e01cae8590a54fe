"""The text of a short query as it stands in the files: an error message, a log line, a phrase of a comment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.symbols.candidates import CandidateFile, Candidates
from bottega.source.text import read_text

Values = NDArray[np.float64]
# A shorter phrase, or a single word, stands in too many places.
_SHORTEST, _LEAST_WORDS = 8, 2
_MOST_OF_A_FILE = 5
_LONGEST_FILE = 2_000_000


def find_literal_lines(query: ParsedQuery, candidates: Candidates) -> Mapping[int, int]:
    """The first line of each unit that contains the whole query, whatever the case."""
    phrase = " ".join(query.text.split()).casefold()
    if query.is_long or len(phrase) < _SHORTEST or len(phrase.split(" ")) < _LEAST_WORDS:
        return {}
    found: dict[int, int] = {}
    for file in candidates.files:
        for line in _find_lines(phrase, candidates, file):
            found.setdefault(_find_unit(line, candidates, file), line)
    return found


def score_literals(lines: Mapping[int, int], candidates: Candidates) -> Values:
    result = np.zeros(candidates.size)
    result[list(lines)] = 1.0
    return result


def _find_lines(phrase: str, candidates: Candidates, file: CandidateFile) -> Iterator[int]:
    corpus = candidates.corpus
    try:
        path = corpus.snapshot.root / corpus.paths[file.number]
        text = (read_text(path, below=corpus.snapshot.root) or "")[:_LONGEST_FILE].casefold()
    except OSError:
        return
    at = text.find(phrase)
    for _ in range(_MOST_OF_A_FILE):
        if at < 0:
            return
        yield text.count("\n", 0, at) + 1
        at = text.find(phrase, at + len(phrase))


def _find_unit(line: int, candidates: Candidates, file: CandidateFile) -> int:
    """The smallest unit around a line; the module level is around all."""
    inside = slice(file.first, file.first + file.size)
    first, last = candidates.first[inside], candidates.last[inside]
    around = np.flatnonzero((first <= line) & (line <= last))
    return int(file.first + around[np.argmin((last - first)[around])])
