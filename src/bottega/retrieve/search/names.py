"""Signals from names: definitions and file stems that the query spells out, joins or inflects."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from bottega.index import exact_term, loose_term, stem_term
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Field, Floats
from bottega.retrieve.search.query import ParsedQuery
from bottega.source.words import STOP_WORDS, identifiers, terms_of

# Weights for names of a value, a function, a type.
_KIND = np.array([0.0, 0.5, 0.8, 1.0])
_TYPE = 3
_PLAIN_EXACT, _PLAIN_LOOSE, _PLAIN_STEM = 0.35, 0.5, 0.6
_SHORTEST = 3
_LONGEST_JOIN = 3
_MOST_JOINED = 200


def compute_name_signals(query: ParsedQuery, corpus: Corpus) -> dict[str, Floats]:
    words = [(word, count) for word, count in query.words.items() if _is_telling(word, query)]
    signals = _compute_exact_signals(words, query, corpus)
    signals["loose_definition"] = _score_loose_definitions(words, query, corpus)
    signals["stem_match"], signals["title_stem_match"] = _score_stem_matches(words, query, corpus)
    signals["joined_definition"], signals["joined_name"] = _score_joined_names(query, corpus)
    signals["stem_coverage"] = _score_stem_coverage(query, corpus)
    return signals


def _is_telling(word: str, query: ParsedQuery) -> bool:
    """Short names count when they are written as code, or when the query has no other words."""
    if query.is_bare:
        return True
    if word.lower() in STOP_WORDS:
        return False
    return len(word) >= _SHORTEST or (word in query.code_words and word[:1].isupper())


def _compute_exact_signals(words: list[tuple[str, int]], query: ParsedQuery, corpus: Corpus) -> dict[str, Floats]:
    size = corpus.size
    found = corpus.exact.find(np.fromiter((exact_term(word) for word, _ in words), np.uint64, len(words)))
    defining = np.bincount(found.term, minlength=len(words))
    is_code = np.array([query.is_code(word) for word, _ in words], bool)
    in_title = np.array([word in query.title_words for word, _ in words], bool)
    often = np.array([1 + 0.3 * math.log(count) for _, count in words])
    weight = np.log(1 + size / np.maximum(defining, 1)) * np.where(is_code, 1.0, _PLAIN_EXACT) * often
    kind = found.times.astype(np.int64)
    gain = weight[found.term] * _KIND[kind]
    titled, typed = in_title[found.term], kind == _TYPE
    strongest = np.zeros(size)
    np.maximum.at(strongest, found.doc, gain * is_code[found.term])

    def sum_values(values: NDArray[np.float64]) -> Floats:
        return np.bincount(found.doc, values, minlength=size).astype(np.float32)

    return {
        "exact_definition": sum_values(gain),
        "title_exact_definition": sum_values(gain * titled),
        "type_definition": sum_values(weight[found.term] * typed),
        "title_type_definition": sum_values(weight[found.term] * (typed & titled)),
        "strongest_definition": strongest.astype(np.float32),
    }


def _score_loose_definitions(words: list[tuple[str, int]], query: ParsedQuery, corpus: Corpus) -> Floats:
    wanted = {
        loose_term(form): 1.0 if query.is_code(word) else _PLAIN_LOOSE
        for word, _ in words
        for form in _list_spellings(word)
    }
    return _score_definitions(corpus.loose, wanted, corpus.size)


def _score_stem_matches(words: list[tuple[str, int]], query: ParsedQuery, corpus: Corpus) -> tuple[Floats, Floats]:
    """A word of the query is the name of a file; rarer words and rarer names count more."""
    wanted = [(stem_term(form), word) for word, _ in words for form in _list_spellings(word)]
    found = corpus.stem.find(np.fromiter((number for number, _ in wanted), np.uint64, len(wanted)))
    sharing = np.bincount(found.term, minlength=len(wanted))
    last = [terms_of(word)[-1] if terms_of(word) else 0 for _, word in wanted]
    frequency = corpus.file.frequencies(np.array(last, np.uint64)) if wanted else np.zeros(0)
    idf = np.log(1 + (corpus.size - frequency + 0.5) / (frequency + 0.5))
    rare = np.minimum(1.5, np.maximum(0.2, idf / 3))
    is_code = np.array([1.0 if query.is_code(word) else _PLAIN_STEM for _, word in wanted])
    weight = is_code / np.sqrt(np.maximum(sharing, 1)) * rare
    in_title = np.array([word in query.title_words for _, word in wanted], bool)
    whole = np.bincount(found.doc, weight[found.term], minlength=corpus.size)
    titled = np.bincount(found.doc, weight[found.term] * in_title[found.term], minlength=corpus.size)
    return whole.astype(np.float32), titled.astype(np.float32)


def _score_joined_names(query: ParsedQuery, corpus: Corpus) -> tuple[Floats, Floats]:
    """Adjacent words of the title written as one name: "join set" is JoinSet, and join_set.rs."""
    row = [word.lower() for word in identifiers(query.title)[:_MOST_JOINED]]
    forms: set[str] = set()
    for length in range(2, _LONGEST_JOIN + 1):
        for at in range(len(row) - length + 1):
            whole = "".join(row[at : at + length]).replace("_", "")
            forms |= {whole, whole.removesuffix("s"), re.sub(r"(?:ing|ed|er)$", "", whole)}
    names = _score_definitions(corpus.loose, {loose_term(form): 1.0 for form in forms}, corpus.size)
    found = corpus.stem.find(np.fromiter((stem_term(form) for form in forms), np.uint64, len(forms)))
    return names, np.bincount(found.doc, minlength=corpus.size).astype(np.float32)


def _score_stem_coverage(query: ParsedQuery, corpus: Corpus) -> Floats:
    """How much of a file's name is in the query."""
    found = corpus.stem.find(np.fromiter(query.terms, np.uint64, len(query.terms)))
    hits = np.bincount(found.doc, minlength=corpus.size)
    return (hits / np.maximum(corpus.stem.length - 1, 1)).astype(np.float32)


def _score_definitions(field: Field, wanted: Mapping[int, float], size: int) -> Floats:
    terms: NDArray[np.uint64] = np.fromiter(wanted, np.uint64, len(wanted))
    found = field.find(terms)
    defining = np.bincount(found.term, minlength=len(terms))
    weight = np.log(1 + size / np.maximum(defining, 1)) * np.fromiter(wanted.values(), np.float64, len(wanted))
    gain = weight[found.term] * _KIND[found.times.astype(np.int64)]
    return np.bincount(found.doc, gain, minlength=size).astype(np.float32)


def _list_spellings(word: str) -> Iterable[str]:
    """The word without case and `_`, in singular and plural."""
    plain = word.replace("_", "").lower()
    return {plain, plain[:-1] if plain.endswith("s") else f"{plain}s"}
