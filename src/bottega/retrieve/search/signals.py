"""All signals of a question, each between 0 and 1."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bottega.index.words import grams, identifiers, parts
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.names import name_signals
from bottega.retrieve.search.neighbours import neighbour_signals
from bottega.retrieve.search.places import place_signals
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import Query

# How many of all pieces are added up, and of each file; fewer where meaning has put the right ones in front.
_SUMMED, _SUMMED_BY_MEANING, _SUMMED_OF_A_FILE = 100, 50, 5
_NAMES_IN_MIX, _CODE_IN_MIX = 0.5, 0.3
# How much the likeness of a piece by meaning counts beside its words; less where a question brings many words.
_MEANING_IN_MIX, _MEANING_IN_SUM, _MEANING_IN_LONG = 0.4, 2.0, 0.5
# Signals that have a natural size of their own.
_ABSOLUTE = frozenset({"qp", "qm", "qt", "stemcov", "described"})
_ABOUT_TESTS = re.compile(r"\b(?:tests?|testing|fixtures?|mocks?|specs?)\b", re.IGNORECASE)
_ABOUT_DOCS = re.compile(r"\b(?:docs?|documentation|readme|changelog|tutorial|guide|license|licence)\b", re.IGNORECASE)
_ABOUT_CONFIG = re.compile(
    r"\b(?:config(?:uration)?|settings?|ya?ml|toml|json|dockerfile|makefile|ci|workflow|html|css|template|stylesheet)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Signals:
    """Values of every signal for every file; `mix` scores pieces."""

    files: dict[str, Floats]
    mix: Floats
    chunk: Floats


def signals(query: Query, corpus: Corpus, likeness: Floats | None = None) -> Signals:
    chunk = corpus.chunk.scores(query.terms)
    names = corpus.chunk_names.scores(query.terms)
    mix = _whole(chunk) + _NAMES_IN_MIX * _whole(names) + _CODE_IN_MIX * _whole(corpus.chunk.scores(query.code_terms))
    meant = _meant(query, likeness) if likeness is not None else np.zeros_like(mix)
    mix += (_MEANING_IN_LONG if query.is_long else _MEANING_IN_MIX) * meant
    found = _words(query, corpus, chunk, names, meant) | name_signals(query, corpus) | place_signals(query, corpus)
    found |= _said(query, corpus)
    found["described"] = _described(query, corpus)
    scale = _Scale(query, corpus)
    found = {name: values if name in _ABSOLUTE else scale(values) for name, values in found.items()}
    found["cmix"] = scale(corpus.best_chunk_scores(mix))
    found["meaning"] = scale(corpus.best_chunk_scores(meant))
    around = neighbour_signals(query, corpus, found, mix)
    found |= {name: values if name in {"nb_in", "teststem"} else scale(values) for name, values in around.items()}
    return Signals(found | _penalties(query, corpus), mix, chunk)


def _words(query: Query, corpus: Corpus, chunk: Floats, names: Floats, meant: Floats) -> dict[str, Floats]:
    whole, title = query.terms, query.title_terms if query.is_long else query.terms
    prose = query.prose_terms if query.is_long else query.terms
    once = dict.fromkeys(whole, 1.0)
    two, three = grams(identifiers(query.text))
    title_two, _ = grams(identifiers(query.title))
    titled = corpus.chunk.scores(title) if query.is_long else chunk
    summed = _SUMMED_BY_MEANING if meant.any() and not query.is_long else _SUMMED
    return {
        "chunk": corpus.best_chunk_scores(chunk),
        "t_chunk": corpus.best_chunk_scores(titled),
        "p_chunk": corpus.best_chunk_scores(corpus.chunk.scores(prose) if query.is_long else chunk),
        "csum": _summed(
            corpus, _whole(chunk) + (_MEANING_IN_LONG if query.is_long else _MEANING_IN_SUM) * meant, summed
        ),
        "cdef": corpus.best_chunk_scores(names),
        "file": corpus.file.scores(whole),
        "t_file": corpus.file.scores(title),
        "p_file": corpus.file.scores(prose),
        "t_cov": corpus.file.scores(title, saturate=False),
        "head": corpus.head.scores(whole),
        "define": corpus.definitions.scores(whole),
        "t_define": corpus.definitions.scores(title),
        "path": corpus.path.scores(once),
        "t_path": corpus.path.scores(dict.fromkeys(title, 1.0)),
        "big": corpus.pairs.scores(two),
        "tri": corpus.triples.scores(three),
        "t_big": corpus.pairs.scores(title_two),
    }


def _said(query: Query, corpus: Corpus) -> dict[str, Floats]:
    title = query.title_terms if query.is_long else query.terms
    history = corpus.history
    return {
        "hknn": history.nearest(query.terms),
        "t_hknn": history.nearest(title),
        "hfile": history.heard(query.terms),
        "t_hfile": history.heard(title),
    }


def _described(query: Query, corpus: Corpus) -> Floats:
    """Which share of the question's words stands in what models said about a file; 0 where they said nothing."""
    found = np.zeros(corpus.size, np.float32)
    wanted = query.title_terms if query.is_long else query.terms
    total = sum(wanted.values())
    if not total:
        return found
    for file, words in corpus.described.items():
        found[file] = sum(weight for term, weight in wanted.items() if term in words) / total
    return found


def _meant(query: Query, likeness: Floats) -> Floats:
    """By how many deviations a piece is more like the question than the mean one, as a share of the best; 0 below it.

    A name alone is looked for, not understood.
    """
    known = likeness[likeness > 0]
    if query.is_symbol or not len(known):
        return np.zeros_like(likeness)
    return _whole(np.maximum((likeness - known.mean()) / (known.std() + 1e-6), 0))


def _summed(corpus: Corpus, chunk: Floats, most: int) -> Floats:
    """A file's best pieces among the best of all, added up."""
    best = np.argsort(-chunk, kind="stable")[:most]
    found = np.zeros(corpus.size, np.float32)
    taken: dict[int, int] = {}
    for place in best.tolist():
        file = int(corpus.chunk_file[place])
        taken[file] = taken.get(file, 0) + 1
        if taken[file] <= _SUMMED_OF_A_FILE:
            found[file] += chunk[place]
    return found


def _penalties(query: Query, corpus: Corpus) -> dict[str, Floats]:
    """Tests, documents and settings stand back unless the question is about them."""
    asked = "" if query.is_long else " ".join(part for word in query.title_words for part in parts(word))
    return {
        "test": np.where(_ABOUT_TESTS.search(asked) is None, corpus.is_test, False).astype(np.float32),
        "docs": np.where(_ABOUT_DOCS.search(asked) is None, corpus.is_docs, False).astype(np.float32),
        "config": np.where(_ABOUT_CONFIG.search(asked) is None, corpus.is_config, False).astype(np.float32),
    }


class _Scale:
    """Divide by the largest value among files that do not stand back, and cut off above."""

    def __init__(self, query: Query, corpus: Corpus) -> None:
        stands_back = sum(_penalties(query, corpus).values(), np.zeros(corpus.size, np.float32)) > 0
        is_rare = stands_back.sum() <= 0.9 * corpus.size
        self._counting: NDArray[np.bool_] = ~stands_back if is_rare else np.ones(corpus.size, bool)

    def __call__(self, values: Floats) -> Floats:
        largest = float(values[self._counting].max(initial=0)) or float(values.max(initial=0))
        return np.minimum(values / largest, 1).astype(np.float32) if largest > 0 else np.zeros_like(values)


def _whole(values: Floats) -> Floats:
    return (values / max(float(values.max(initial=0)), 1e-9)).astype(np.float32)
