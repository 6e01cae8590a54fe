"""Rank the units of the best files by a weighted sum of signals."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index import SymbolRow, kind_weight
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.rank import ScoredFiles
from bottega.retrieve.search.signals import asks_for_tests
from bottega.retrieve.search.symbols.calling import score_callers
from bottega.retrieve.search.symbols.candidates import Candidates, collect_candidates
from bottega.retrieve.search.symbols.frames import NO_TRACEBACK, Traceback
from bottega.retrieve.search.symbols.literals import find_literal_lines, score_literals
from bottega.retrieve.search.symbols.naming import (
    score_coverage,
    score_exact,
    score_joined,
    score_named_classes,
    score_named_values,
    score_owner_coverage,
    score_spelt,
)
from bottega.retrieve.search.symbols.places import score_lines, score_symbols
from bottega.retrieve.search.symbols.wording import (
    COMMENTS,
    measure_lengths,
    score_meaning,
    score_pairs,
    score_words,
)
from bottega.retrieve.search.weights import load_weights
from bottega.source.words import build_grams, identifiers

Values = NDArray[np.float64]
_LONG, _LONGEST = 40.0, 1.5
# Tests in a module inside the file that they test, as Rust has them.
_IN_TESTS = re.compile(r"(?:^|[.:])tests?[.:]")
_TYPE, _FUNCTION = 3, 2


class RankedSymbol(NamedTuple):
    """A unit with its score; `symbol` is `None` for the module level of a file.

    `explain` gives what each signal added to the score. `line` is that which contains the whole query, 0 for none.
    """

    file: int
    first: int
    last: int
    symbol: SymbolRow | None
    score: float
    explain: Callable[[], Mapping[str, float]]
    line: int = 0


def rank_symbols(
    query: ParsedQuery,
    corpus: Corpus,
    scored: ScoredFiles,
    files: Sequence[int],
    traceback: Traceback = NO_TRACEBACK,
) -> list[RankedSymbol]:
    """Every unit of some files, the best first; `files` are given by number, the best first."""
    candidates = collect_candidates(corpus, files)
    if not candidates.size:
        return []
    literal_lines = find_literal_lines(query, candidates)
    weights = load_weights("symbols_long" if query.is_long else "symbols_short")
    found = compute_unit_signals(query, candidates, scored, traceback, frozenset(weights))
    if "literal" in weights:
        found["literal"] = score_literals(literal_lines, candidates)
    total = sum((weight * found[name] for name, weight in weights.items() if name in found), np.zeros(candidates.size))
    if caller_weight := weights.get("calls_best"):
        found["calls_best"] = score_callers(total, candidates)
        total = total + caller_weight * found["calls_best"]
    order = np.lexsort((np.arange(candidates.size), -np.round(total, 6)))
    ranked = (_build_ranked(at, candidates, total, found, weights) for at in order.tolist())
    return [unit._replace(line=literal_lines.get(at, 0)) for at, unit in zip(order.tolist(), ranked, strict=True)]


def compute_unit_signals(
    query: ParsedQuery, candidates: Candidates, scored: ScoredFiles, traceback: Traceback, names: Collection[str]
) -> dict[str, Values]:
    """These signals of every unit, between 0 and 1."""
    lengths = measure_lengths(candidates)
    symbols = candidates.symbols
    exact = score_exact(query, candidates)
    signals: dict[str, Callable[[], Values]] = {
        "file": lambda: _score_files(candidates, scored),
        "words": lambda: _normalize(score_words(query.terms, candidates, lengths)),
        "title_words": lambda: _normalize(score_words(query.title_terms, candidates, lengths)),
        "comment_words": lambda: _normalize(score_words(query.terms, candidates, lengths, COMMENTS)),
        "meaning": lambda: _normalize(score_meaning(scored.signals.meant, candidates)),
        "word_pairs": lambda: _normalize(score_pairs(build_grams(identifiers(query.text))[0], candidates)),
        "qualified_name": lambda: score_spelt(query, candidates),
        "exact_name": lambda: exact,
        "named_class": lambda: score_named_classes(exact, candidates),
        "name_coverage": lambda: score_coverage(query, candidates),
        "owner_coverage": lambda: score_owner_coverage(query, candidates),
        "joined_name": lambda: score_joined(query, candidates),
        "frame": lambda: score_symbols(traceback.frames, candidates),
        "frame_call": lambda: score_symbols(traceback.called, candidates),
        "line": lambda: score_lines(query, candidates),
        "is_function": lambda: np.array([float(s is not None and kind_weight(s.kind) == _FUNCTION) for s in symbols]),
        "is_aside": lambda: score_aside(query, candidates, scored),
        "is_type": lambda: np.array([float(s is not None and kind_weight(s.kind) == _TYPE) for s in symbols]),
        "is_module_level": lambda: np.array([float(s is None) for s in symbols]),
        "named_value": lambda: score_named_values(query, exact, candidates),
        "length": lambda: _score_lengths(candidates),
    }
    return {name: signal() for name, signal in signals.items() if name in names}


def _score_files(candidates: Candidates, scored: ScoredFiles) -> Values:
    scores = np.array([max(scored.total[file.number], 0.0) for file in candidates.files])
    return _normalize(scores)[candidates.file_rank]


def _score_lengths(candidates: Candidates) -> Values:
    lengths: Values = np.log1p(candidates.last - candidates.first + 1) / np.log1p(_LONG)
    return np.minimum(lengths, _LONGEST)


def score_aside(query: ParsedQuery, candidates: Candidates, scored: ScoredFiles) -> Values:
    """1 for units of tests, documents and settings that the query does not ask for, and for tests beside the code."""
    numbers = [file.number for file in candidates.files]
    files: Values = np.array(scored.signals.is_aside[numbers][candidates.file_rank], float)
    if asks_for_tests(query):
        return files
    tests = [symbol is not None and _IN_TESTS.search(symbol.qualified) is not None for symbol in candidates.symbols]
    return np.where(tests, 1.0, files)


def _build_ranked(
    at: int, candidates: Candidates, total: Values, found: Mapping[str, Values], weights: Mapping[str, float]
) -> RankedSymbol:
    return RankedSymbol(
        candidates.files[int(candidates.file_rank[at])].number,
        int(candidates.first[at]),
        int(candidates.last[at]),
        candidates.symbols[at],
        round(float(total[at]), 4),
        partial(_explain, at, found, weights),
    )


def _explain(at: int, found: Mapping[str, Values], weights: Mapping[str, float]) -> dict[str, float]:
    """What each signal added to the score of a unit."""
    shares = {name: round(float(weight * found[name][at]), 4) for name, weight in weights.items()}
    return {name: share for name, share in shares.items() if share}


def _normalize(values: Values) -> Values:
    return values / max(float(values.max(initial=0)), 1e-9)
