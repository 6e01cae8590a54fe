"""Prefer the chunk of a file that defines what the query names."""

from __future__ import annotations

import math
import re

import numpy as np

from bottega.index import kind_weight
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import DOTTED, ParsedQuery

_MOST_NAMES = 80
_SHORTEST = 3
_PLAIN = 0.35
_MOST_DEFINERS = 40
_HEAVIEST = 3.0
# A qualified name such as `Session.send` is rarely ambiguous.
_SPELT_OUT = 2.0
_MOST_PARTS, _MOST_DOTTED = 12, 2_000
_DOTS = re.compile(r"::|/")


def score_defining_chunks(query: ParsedQuery, corpus: Corpus) -> Floats:
    """A bonus for chunks that begin a definition whose name is in the query."""
    bonus = np.zeros(corpus.chunks, np.float32)
    names = [word for word in query.words if len(word) >= _SHORTEST][:_MOST_NAMES]
    found = corpus.snapshot.base.get_definition_lines(names)
    dotted = {_DOTS.sub(".", whole) for whole in DOTTED.findall(query.text)[:_MOST_DOTTED]}
    for name, places in found.items():
        for file_id, line, _, qualified in places:
            if dotted and not dotted.isdisjoint(_list_endings(qualified)):
                _add_bonus(bonus, corpus, file_id, line, _SPELT_OUT)
        if len(places) > _MOST_DEFINERS:
            continue
        weight = (1.0 if query.is_code(name) else _PLAIN) / math.sqrt(max(1, len(places) // 2))
        for file_id, line, kind, _ in places:
            _add_bonus(bonus, corpus, file_id, line, weight * kind_weight(kind) / _HEAVIEST)
    return bonus


def _list_endings(qualified: str) -> list[str]:
    """`a.b.c`, `b.c` and `c`; of a long name its last parts."""
    parts = qualified.split(".")
    return [qualified, *(".".join(parts[-length:]) for length in range(1, min(len(parts), _MOST_PARTS)))]


def _add_bonus(bonus: Floats, corpus: Corpus, file_id: int, line: int, weight: float) -> None:
    chunk = corpus.chunk_at(corpus.numbers[file_id], line) if file_id in corpus.numbers else -1
    if chunk >= 0:
        bonus[chunk] = max(bonus[chunk], weight)
