"""A signal from the graph of symbols: what the named definitions call, and what those call in turn."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from bottega.index.knowledge import KnowledgeBase
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import Query

_MOST_NAMES, _MOST_DEFINERS, _MOST_SYMBOLS = 40, 4, 300
_STEPS, _KEPT = 2, 0.5
_SHORTEST = 3


def reach_signal(query: Query, corpus: Corpus) -> Floats:
    """How much of the weight of the named symbols flows into each file along their calls and bases."""
    base = KnowledgeBase(corpus.snapshot.connection)
    numbers = {file.id: number for number, file in enumerate(corpus.snapshot.files)}
    found = np.zeros(corpus.size)
    weights = _named(query, corpus, base)
    for _ in range(_STEPS):
        reached: dict[int, float] = defaultdict(float)
        edges = base.get_edges_from(sorted(weights))
        leaving: dict[int, float] = defaultdict(float)
        for edge in edges:
            leaving[edge.source] += edge.confidence
        for edge in edges:
            gain = weights[edge.source] * edge.confidence / math.sqrt(leaving[edge.source])
            number = numbers.get(edge.target_file)
            if number is not None and edge.target_file != edge.source_file:
                found[number] += gain
            if edge.target:
                reached[edge.target] += gain * _KEPT
        strongest = sorted(reached, key=lambda symbol: (-reached[symbol], symbol))[:_MOST_SYMBOLS]
        weights = {symbol: reached[symbol] for symbol in strongest}
    return np.sqrt(found).astype(np.float32)


def _named(query: Query, corpus: Corpus, base: KnowledgeBase) -> dict[int, float]:
    """Definitions that the question spells out as code, with what is inside them; rarer names weigh more."""
    names = [word for word in query.words if len(word) >= _SHORTEST and query.is_code(word)][:_MOST_NAMES]
    weights: dict[int, float] = {}
    for name, symbols in base.get_definitions(names).items():
        if 0 < len(symbols) <= _MOST_DEFINERS:
            weight = math.log(1 + corpus.size / len(symbols)) * (1.5 if name in query.title_words else 1.0)
            for symbol in symbols:
                inner = base.get_inner_symbols(symbol)
                share = weight / len(symbols) / math.sqrt(1 + len(inner))
                for number in (symbol, *inner):
                    weights[number] = max(weights.get(number, 0.0), share)
    strongest = sorted(weights, key=lambda symbol: (-weights[symbol], symbol))[:_MOST_SYMBOLS]
    return {symbol: weights[symbol] for symbol in strongest}
