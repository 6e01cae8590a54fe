"""Signals from the name of a symbol: the query spells it, writes it with its class, or its words make it up."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bottega.index import SymbolRow, kind_weight
from bottega.retrieve.search.query import DOTTED, ParsedQuery
from bottega.retrieve.search.symbols.candidates import Candidates
from bottega.source.words import STOP_WORDS, identifiers, split_identifier, stem

Values = NDArray[np.float64]
_MOST_DOTTED = 2_000
_MOST_JOINED = 200
_LONGEST_JOIN = 4
_SHORTEST = 3
_PLAIN = 0.35
_VALUE = 1
_SEPARATORS = re.compile(r"\.|::|/|#|->|\\")
_ENDINGS = re.compile(r"(?:ing|ed|er|s)$")


def score_spelt(query: ParsedQuery, candidates: Candidates) -> Values:
    """1 where the query writes the name after that of its class or file: `Session.send`, `sessions.send`."""
    written: set[tuple[str, str]] = set()
    for dotted in DOTTED.findall(query.text)[:_MOST_DOTTED]:
        names = _SEPARATORS.split(dotted)
        written |= set(pairwise(names))
    found = [bool(written) and _owner_and_name(symbol) in written for symbol in candidates.symbols]
    return np.array(found, float)


def _owner_and_name(symbol: SymbolRow | None) -> tuple[str, str]:
    if symbol is None:
        return "", ""
    owner = symbol.qualified.removesuffix(symbol.name).rstrip(".").rpartition(".")[2]
    return owner or _stem(symbol.path), symbol.name


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def score_exact(query: ParsedQuery, candidates: Candidates) -> Values:
    """Names that stand in the query as they are; those written as code count whole, common ones less."""
    names = Counter(symbol.name for symbol in candidates.symbols if symbol is not None)

    def score(name: str) -> float:
        if name not in query.words or len(name) < _SHORTEST:
            return 0.0
        return (1.0 if query.is_code(name) else _PLAIN) / math.sqrt(names[name])

    return np.array([score(symbol.name) if symbol is not None else 0.0 for symbol in candidates.symbols])


def score_named_classes(exact: Values, candidates: Candidates) -> Values:
    """For members the score of their class's own name: `exact` is what `score_exact` gives."""
    classes = {symbol.id: at for at, symbol in enumerate(candidates.symbols) if symbol is not None}
    parents = [symbol.parent_id if symbol is not None else None for symbol in candidates.symbols]
    return np.array([exact[classes[parent]] if parent in classes else 0.0 for parent in parents], float)


def score_named_values(query: ParsedQuery, exact: Values, candidates: Candidates) -> Values:
    """Constants that the query writes, and the module level of a file that defines one."""
    result = np.zeros(candidates.size)
    for file in candidates.files:
        values = [symbol for symbol in file.symbols if kind_weight(symbol.kind) == _VALUE]
        has_named = any(len(v.name) >= _SHORTEST and v.name in query.words and query.is_code(v.name) for v in values)
        for at in range(file.first, file.first + file.size):
            symbol = candidates.symbols[at]
            if symbol is None:
                result[at] = float(has_named)
            elif kind_weight(symbol.kind) == _VALUE:
                result[at] = exact[at]
    return result


def score_coverage(query: ParsedQuery, candidates: Candidates) -> Values:
    """The share of a name's words that stand in the query."""
    coverage = NameCoverage(query)
    return np.array([coverage.measure(symbol.name) if symbol is not None else 0.0 for symbol in candidates.symbols])


def score_owner_coverage(query: ParsedQuery, candidates: Candidates) -> Values:
    """The share of the words of the class's name that stand in the query."""
    coverage = NameCoverage(query)
    return np.array([coverage.measure(_owner_and_name(symbol)[0]) for symbol in candidates.symbols])


class NameCoverage:
    """How many words of a name stand in a query, also where one of the two joins them: "websocket", `WebSocket`."""

    def __init__(self, query: ParsedQuery) -> None:
        words = [split_identifier(word) for word in query.words if word.lower() not in STOP_WORDS]
        self._asked = {stem(part) for parts in words for part in parts} | {stem("".join(parts)) for parts in words}
        row = [part for word in identifiers(query.title)[:_MOST_JOINED] for part in split_identifier(word)]
        self._joined = {stem("".join(run)) for length in (2, 3) for run in _list_runs(row, length)}
        self._shares: dict[str, float] = {}

    def measure(self, name: str) -> float:
        if name not in self._shares:
            self._shares[name] = self._measure(split_identifier(name))
        return self._shares[name]

    def _measure(self, parts: list[str]) -> float:
        stems = [stem(part) for part in parts]
        covered = [word in self._asked or (len(word) > _SHORTEST and word in self._joined) for word in stems]
        for length in (2, 3):
            for at, run in enumerate(_list_runs(parts, length)):
                if stem("".join(run)) in self._asked:
                    covered[at : at + length] = [True] * length
        return sum(covered) / len(covered) if covered else 0.0


def _list_runs(parts: list[str], length: int) -> Iterator[list[str]]:
    return (parts[at : at + length] for at in range(len(parts) - length + 1))


def score_joined(query: ParsedQuery, candidates: Candidates) -> Values:
    """1 where adjacent words of the title make up the name: "join set" is `join_set`."""
    row = [word.lower() for word in identifiers(query.title)[:_MOST_JOINED]]
    forms: set[str] = set()
    for length in range(2, _LONGEST_JOIN + 1):
        for at in range(len(row) - length + 1):
            whole = "".join(row[at : at + length]).replace("_", "")
            forms |= {whole, _ENDINGS.sub("", whole)}
    return np.array(
        [float(symbol is not None and symbol.name.replace("_", "").lower() in forms) for symbol in candidates.symbols]
    )
