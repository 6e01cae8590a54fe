"""Which piece of a file to show: the one that defines what the question names."""

from __future__ import annotations

import math

import numpy as np

from bottega.index.analyse.definitions import kind_weight
from bottega.index.knowledge import KnowledgeBase
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import Query

_MOST_NAMES = 80
_SHORTEST = 3
_PLAIN = 0.35
_MOST_DEFINERS = 40
_HEAVIEST = 3.0


def defining_chunks(query: Query, corpus: Corpus) -> Floats:
    """A bonus for pieces that open a definition whose very name stands in the question."""
    bonus = np.zeros(corpus.chunks, np.float32)
    names = [word for word in query.words if len(word) >= _SHORTEST][:_MOST_NAMES]
    found = KnowledgeBase(corpus.snapshot.connection).get_places(names)
    for name, places in found.items():
        if len(places) > _MOST_DEFINERS:
            continue
        weight = (1.0 if query.is_code(name) else _PLAIN) / math.sqrt(max(1, len(places) // 2))
        for file_id, line, kind in places:
            chunk = corpus.chunk_at(corpus.numbers[file_id], line) if file_id in corpus.numbers else -1
            if chunk >= 0:
                bonus[chunk] = max(bonus[chunk], weight * kind_weight(kind) / _HEAVIEST)
    return bonus
