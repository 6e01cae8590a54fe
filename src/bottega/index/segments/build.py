"""Build postings from analyses: for every field, which documents contain which term, how often."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse.values import Bags, Wording
from bottega.index.segments.units import build_unit_arrays, merge_unit_arrays
from bottega.source.words import identifiers, tally, term

Arrays = dict[str, NDArray[Any]]

CHUNK_FIELDS = ("chunk", "name")
FILE_FIELDS = ("head", "file", "path", "stem", "define", "exact", "loose")
FIELDS = (*CHUNK_FIELDS, *FILE_FIELDS)
_NAMELESS_STEMS = frozenset({"__init__", "index", "mod", "main", "lib", "init", "package"})
_DOC_BITS, _COUNT_BITS = 24, 16
_COUNT_MASK, _DOC_MASK = (1 << _COUNT_BITS) - 1, (1 << _DOC_BITS) - 1


def build_segment(paths: Sequence[str], analyses: Sequence[Wording]) -> Arrays:
    """Build all arrays of a segment."""
    arrays = _layout(analyses)
    chunks_before = np.cumsum([0, *(len(a.chunks) for a in analyses)])
    for name, bags, starts in (
        ("chunk", [a.words.chunks for a in analyses], chunks_before),
        ("name", [a.words.names for a in analyses], chunks_before),
        ("head", [a.words.head for a in analyses], np.arange(len(analyses) + 1)),
        ("define", [a.words.defined for a in analyses], np.arange(len(analyses) + 1)),
        ("exact", [a.words.exact for a in analyses], np.arange(len(analyses) + 1)),
        ("loose", [a.words.loose for a in analyses], np.arange(len(analyses) + 1)),
    ):
        arrays |= build_postings(name, *_flatten(analyses, bags, starts), int(starts[-1]))
    arrays |= build_postings("file", *_sum_by_file(analyses), len(analyses))
    for name, tallies in _index_names(paths).items():
        arrays |= build_postings(name, *_build_from_tallies(tallies), len(analyses))
    arrays |= _build_grams("two", [a.grams.two for a in analyses]) | _build_grams(
        "three", [a.grams.three for a in analyses]
    )
    return arrays | build_unit_arrays(analyses)


def _layout(analyses: Sequence[Wording]) -> Arrays:
    chunks = [(doc, *chunk) for doc, analysis in enumerate(analyses) for chunk in analysis.chunks]
    table = np.array(chunks, np.int64).reshape(-1, 5)
    return {
        "chunk_file": table[:, 0].astype(np.uint32),
        "chunk_first": table[:, 1].astype(np.uint32),
        "chunk_last": table[:, 2].astype(np.uint32),
        "chunk_symbol": table[:, 3].astype(np.int32),
        "chunk_hash": table[:, 4],
    }


def _flatten(
    analyses: Sequence[Wording], bags: Sequence[Bags], starts: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Terms, documents and counts of all bags, concatenated."""
    if not analyses:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    terms = np.concatenate([a.words.terms[b.term] for a, b in zip(analyses, bags, strict=True)])
    documents = np.concatenate(
        [np.repeat(np.arange(len(b.at) - 1) + start, np.diff(b.at)) for b, start in zip(bags, starts, strict=False)]
    )
    return terms, documents, np.concatenate([b.times for b in bags]).astype(np.int64)


def _sum_by_file(analyses: Sequence[Wording]) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Term counts of whole files: the sums over their chunks."""
    if not analyses:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    counts = [
        np.bincount(a.words.chunks.term, a.words.chunks.times, minlength=len(a.words.terms)).astype(np.int64)
        for a in analyses
    ]
    total = np.concatenate(counts)
    terms = np.concatenate([a.words.terms for a in analyses])
    documents = np.repeat(np.arange(len(analyses)), [len(a.words.terms) for a in analyses])
    kept = total > 0
    return terms[kept], documents[kept], total[kept]


def _index_names(paths: Sequence[str]) -> dict[str, list[dict[int, int]]]:
    """Terms from paths instead of text."""
    tallies: dict[str, list[dict[int, int]]] = {"path": [], "stem": []}
    for path in paths:
        tallies["path"].append(tally(identifiers(re.sub(r"\.\w+$", "", path).replace("-", "_"))))
        tallies["stem"].append(stem_terms(path))
    return tallies


def stem_name(path: str) -> str:
    """The name of a file; `index`, `mod` and `__init__` take the name of their folder."""
    pure = PurePosixPath(path)
    name = pure.name
    stem = name if name.startswith(".") else name.split(".")[0]
    return pure.parent.name if stem in _NAMELESS_STEMS and pure.parent.name else stem


def stem_terms(path: str) -> dict[int, int]:
    return dict.fromkeys(tally(identifiers(stem_name(path).replace("-", "_"))), 1) | {whole_stem_term(path): 1}


def whole_stem_term(path: str) -> int:
    return stem_term(stem_name(path).replace("-", ""))


def stem_term(word: str) -> int:
    return term("/" + word.replace("_", "").lower())


def _build_from_tallies(
    tallies: Sequence[Mapping[int, int]],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    sizes = [len(counted) for counted in tallies]
    total = sum(sizes)
    terms = np.fromiter((number for counted in tallies for number in counted), np.uint64, total)
    counts = np.fromiter((count for counted in tallies for count in counted.values()), np.int64, total)
    return terms, np.repeat(np.arange(len(tallies)), sizes), counts


def build_postings(
    name: str, terms: NDArray[np.uint64], documents: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> Arrays:
    """Postings sorted by term and document. The three are packed into one number, which sorts faster."""
    vocabulary, places = np.unique(terms, return_inverse=True)
    small = np.minimum(counts, _COUNT_MASK)
    packed = (
        (places.astype(np.uint64) << np.uint64(_DOC_BITS + _COUNT_BITS))
        | (documents.astype(np.uint64) << np.uint64(_COUNT_BITS))
        | small.astype(np.uint64)
    )
    packed.sort()
    at = np.searchsorted(packed, np.arange(len(vocabulary) + 1, dtype=np.uint64) << np.uint64(_DOC_BITS + _COUNT_BITS))
    return {
        f"{name}.term": vocabulary,
        f"{name}.at": at.astype(np.uint32),
        f"{name}.doc": ((packed >> np.uint64(_COUNT_BITS)) & np.uint64(_DOC_MASK)).astype(np.uint32),
        f"{name}.count": (packed & np.uint64(_COUNT_MASK)).astype(np.uint16),
        f"{name}.length": np.bincount(documents, small, minlength=size).astype(np.float32),
    }


def _build_grams(name: str, grams: Sequence[NDArray[np.uint32]]) -> Arrays:
    if not grams:
        return {f"{name}.gram": np.zeros(0, np.uint32), f"{name}.doc": np.zeros(0, np.uint32)}
    numbers = np.concatenate(grams).astype(np.uint64)
    documents = np.repeat(np.arange(len(grams), dtype=np.uint64), [len(array) for array in grams])
    packed = (numbers << np.uint64(32)) | documents
    packed.sort()
    return {
        f"{name}.gram": (packed >> np.uint64(32)).astype(np.uint32),
        f"{name}.doc": (packed & np.uint64(0xFFFFFFFF)).astype(np.uint32),
    }


def merge_segments(parts: Sequence[tuple[Mapping[str, NDArray[Any]], NDArray[np.int64]]]) -> Arrays:
    """Merge segments, each given with the new place of every file, -1 for deleted ones."""
    size = sum(int((places >= 0).sum()) for _, places in parts)
    chunk_places, chunks = [], 0
    for arrays, places in parts:
        alive = places[arrays["chunk_file"]] >= 0
        chunk_places.append(np.where(alive, np.cumsum(alive) - 1 + chunks, -1))
        chunks += int(alive.sum())
    merged: Arrays = {}
    for name in ("chunk_first", "chunk_last", "chunk_symbol", "chunk_hash"):
        merged[name] = np.concatenate([a[name][new >= 0] for (a, _), new in zip(parts, chunk_places, strict=True)])
    merged["chunk_file"] = np.concatenate(
        [p[a["chunk_file"]][new >= 0] for (a, p), new in zip(parts, chunk_places, strict=True)]
    ).astype(np.uint32)
    for name in FIELDS:
        of_chunks = name in CHUNK_FIELDS
        places_of = chunk_places if of_chunks else [places for _, places in parts]
        rows = [_select_rows(a, name, new) for (a, _), new in zip(parts, places_of, strict=True)]
        terms, documents, counts = (np.concatenate(column) for column in zip(*rows, strict=True))
        merged |= build_postings(name, terms, documents, counts, chunks if of_chunks else size)
    for name in ("two", "three"):
        merged |= _merge_grams(name, parts)
    return merged | merge_unit_arrays(parts)


def _select_rows(
    arrays: Mapping[str, NDArray[Any]], name: str, places: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    terms = np.repeat(arrays[f"{name}.term"], np.diff(arrays[f"{name}.at"]))
    documents = places[arrays[f"{name}.doc"]]
    alive = documents >= 0
    return terms[alive], documents[alive], arrays[f"{name}.count"][alive].astype(np.int64)


def _merge_grams(name: str, parts: Sequence[tuple[Mapping[str, NDArray[Any]], NDArray[np.int64]]]) -> Arrays:
    packed = []
    for arrays, places in parts:
        documents = places[arrays[f"{name}.doc"]]
        alive = documents >= 0
        numbers = arrays[f"{name}.gram"][alive].astype(np.uint64)
        packed.append((numbers << np.uint64(32)) | documents[alive].astype(np.uint64))
    joined = np.concatenate(packed)
    joined.sort()
    return {
        f"{name}.gram": (joined >> np.uint64(32)).astype(np.uint32),
        f"{name}.doc": (joined & np.uint64(0xFFFFFFFF)).astype(np.uint32),
    }
