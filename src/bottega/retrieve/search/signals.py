"""Compute all signals of a query, each between 0 and 1."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.names import compute_name_signals
from bottega.retrieve.search.neighbours import compute_neighbour_signals
from bottega.retrieve.search.places import compute_place_signals
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import ParsedQuery
from bottega.source.words import build_grams, identifiers, split_identifier

# How many chunks are summed in all and for each file; fewer with vectors, which rank the right ones first.
_SUMMED, _SUMMED_BY_MEANING, _SUMMED_OF_A_FILE = 100, 50, 5
_NAMES_IN_MIX, _CODE_IN_MIX = 0.5, 0.3
# Weight of a chunk's vector similarity beside its words; none for a long query: its names decide (docs/benchmarks.md).
_MEANING_IN_MIX, _MEANING_IN_SUM = 0.4, 2.0
# Signals that are not scaled by their maximum.
_ABSOLUTE = frozenset({"path_in_query", "module_in_query", "traceback_in_query", "stem_coverage", "description"})
_ABOUT_TESTS = re.compile(r"\b(?:tests?|testing|fixtures?|mocks?|specs?)\b", re.IGNORECASE)
_ABOUT_DOCS = re.compile(r"\b(?:docs?|documentation|readme|changelog|tutorial|guide|license|licence)\b", re.IGNORECASE)
_ABOUT_CONFIG = re.compile(
    r"\b(?:config(?:uration)?|settings?|ya?ml|toml|json|dockerfile|makefile|ci|workflow|html|css|template|stylesheet)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Signals:
    """Values of every signal for every file; `mix` scores chunks by words and meaning, `meant` by meaning alone.

    `is_aside` are tests, documents and settings that the query does not ask for.
    """

    files: dict[str, Floats]
    mix: Floats
    chunk: Floats
    meant: Floats
    is_aside: NDArray[np.bool_]


def compute_signals(query: ParsedQuery, corpus: Corpus, similarity: Floats | None = None) -> Signals:
    chunk = corpus.chunk.scores(query.terms)
    names = corpus.chunk_names.scores(query.terms)
    mix = (
        _normalize(chunk)
        + _NAMES_IN_MIX * _normalize(names)
        + _CODE_IN_MIX * _normalize(corpus.chunk.scores(query.code_terms))
    )
    meant = _score_meaning(query, similarity) if similarity is not None else np.zeros_like(mix)
    if not query.is_long:
        mix += _MEANING_IN_MIX * meant
    found = (
        _compute_word_signals(query, corpus, chunk, names, meant)
        | compute_name_signals(query, corpus)
        | compute_place_signals(query, corpus)
    )
    found |= _compute_history_signals(query, corpus)
    found["description"] = _score_descriptions(query, corpus)
    scale = _Scale(query, corpus)
    found = {name: values if name in _ABSOLUTE else scale(values) for name, values in found.items()}
    found["chunk_blend"] = scale(corpus.best_chunk_scores(mix))
    found["semantic_similarity"] = scale(corpus.best_chunk_scores(meant))
    around = compute_neighbour_signals(query, corpus, found, mix)
    found |= {
        name: values if name in {"importing_file", "matching_test"} else scale(values)
        for name, values in around.items()
    }
    penalties = _compute_penalties(query, corpus)
    is_aside = sum(penalties.values(), np.zeros(corpus.size, np.float32)) > 0
    return Signals(found | penalties, mix, chunk, meant, is_aside)


def _compute_word_signals(
    query: ParsedQuery, corpus: Corpus, chunk: Floats, names: Floats, meant: Floats
) -> dict[str, Floats]:
    whole, title = query.terms, query.title_terms if query.is_long else query.terms
    prose = query.prose_terms if query.is_long else query.terms
    once = dict.fromkeys(whole, 1.0)
    two, three = build_grams(identifiers(query.text))
    title_two, _ = build_grams(identifiers(query.title))
    titled = corpus.chunk.scores(title) if query.is_long else chunk
    summed = _SUMMED_BY_MEANING if meant.any() and not query.is_long else _SUMMED
    return {
        "chunk": corpus.best_chunk_scores(chunk),
        "title_chunk": corpus.best_chunk_scores(titled),
        "prose_chunk": corpus.best_chunk_scores(corpus.chunk.scores(prose) if query.is_long else chunk),
        "chunk_sum": _sum_best_chunks(
            corpus, _normalize(chunk) + (0.0 if query.is_long else _MEANING_IN_SUM) * meant, summed
        ),
        "chunk_names": corpus.best_chunk_scores(names),
        "file": corpus.file.scores(whole),
        "title_file": corpus.file.scores(title),
        "prose_file": corpus.file.scores(prose),
        "title_coverage": corpus.file.scores(title, saturate=False),
        "file_head": corpus.head.scores(whole),
        "defined_names": corpus.definitions.scores(whole),
        "title_defined_names": corpus.definitions.scores(title),
        "path": corpus.path.scores(once),
        "title_path": corpus.path.scores(dict.fromkeys(title, 1.0)),
        "word_pairs": corpus.pairs.scores(two),
        "word_triples": corpus.triples.scores(three),
        "title_word_pairs": corpus.pairs.scores(title_two),
    }


HISTORY_SIGNALS = ("similar_commits", "title_similar_commits", "commit_messages", "title_commit_messages")


def _compute_history_signals(query: ParsedQuery, corpus: Corpus) -> dict[str, Floats]:
    title = query.title_terms if query.is_long else query.terms
    history = corpus.history
    return {
        "similar_commits": history.similar_commits(query.terms),
        "title_similar_commits": history.similar_commits(title),
        "commit_messages": history.message_scores(query.terms),
        "title_commit_messages": history.message_scores(title),
    }


def _score_descriptions(query: ParsedQuery, corpus: Corpus) -> Floats:
    """The share of the query's words in the descriptions of a file; 0 without a description."""
    found = np.zeros(corpus.size, np.float32)
    wanted = query.title_terms if query.is_long else query.terms
    total = sum(wanted.values())
    if not total:
        return found
    for file, words in corpus.described.items():
        found[file] = sum(weight for term, weight in wanted.items() if term in words) / total
    return found


def _score_meaning(query: ParsedQuery, similarity: Floats) -> Floats:
    """Similarity above the mean in standard deviations, as a share of the best chunk; 0 below the mean.

    A lone identifier gets no semantic score.
    """
    known = similarity[similarity > 0]
    if query.is_symbol or not len(known):
        return np.zeros_like(similarity)
    return _normalize(np.maximum((similarity - known.mean()) / (known.std() + 1e-6), 0))


def _sum_best_chunks(corpus: Corpus, chunk: Floats, most: int) -> Floats:
    """For each file the sum of its best chunks among the best of all."""
    best = np.argsort(-chunk, kind="stable")[:most]
    found = np.zeros(corpus.size, np.float32)
    taken: dict[int, int] = {}
    for place in best.tolist():
        file = int(corpus.chunk_file[place])
        taken[file] = taken.get(file, 0) + 1
        if taken[file] <= _SUMMED_OF_A_FILE:
            found[file] += chunk[place]
    return found


def _compute_penalties(query: ParsedQuery, corpus: Corpus) -> dict[str, Floats]:
    """Tests, documents and settings are penalised unless the query is about them."""
    asked = _read_subject(query)
    return {
        "test_penalty": np.where(asks_for_tests(query), False, corpus.is_test).astype(np.float32),
        "docs_penalty": np.where(_ABOUT_DOCS.search(asked) is None, corpus.is_docs, False).astype(np.float32),
        "config_penalty": np.where(_ABOUT_CONFIG.search(asked) is None, corpus.is_config, False).astype(np.float32),
    }


def asks_for_tests(query: ParsedQuery) -> bool:
    return _ABOUT_TESTS.search(_read_subject(query)) is not None


def _read_subject(query: ParsedQuery) -> str:
    """The words of a short query; a long text mentions tests and settings without asking for them."""
    return "" if query.is_long else " ".join(part for word in query.title_words for part in split_identifier(word))


class _Scale:
    """Divides by the largest value among files without a penalty, and caps at 1."""

    def __init__(self, query: ParsedQuery, corpus: Corpus) -> None:
        stands_back = sum(_compute_penalties(query, corpus).values(), np.zeros(corpus.size, np.float32)) > 0
        is_rare = stands_back.sum() <= 0.9 * corpus.size
        self._counting: NDArray[np.bool_] = ~stands_back if is_rare else np.ones(corpus.size, bool)

    def __call__(self, values: Floats) -> Floats:
        largest = float(values[self._counting].max(initial=0)) or float(values.max(initial=0))
        return np.minimum(values / largest, 1).astype(np.float32) if largest > 0 else np.zeros_like(values)


def _normalize(values: Floats) -> Floats:
    return (values / max(float(values.max(initial=0)), 1e-9)).astype(np.float32)
