"""Encode an analysis as bytes: text as JSON, numbers as arrays. Decoding runs no code."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from bottega.errors import StorageError
from bottega.index.analyse.values import (
    Analysis,
    Bags,
    Chunk,
    Comment,
    Depth,
    Docstring,
    Grams,
    Import,
    Reference,
    Symbol,
    Unit,
    Wording,
    Words,
)

_Row = TypeVar("_Row")
_MAGIC = b"BA04"
_LENGTHS = struct.Struct("<4sIII")
# The numbers begin with counts of: terms, texts and entries of seven sets of bags, pairs, triples, pairs of units,
# chunks, units.
_SETS = 7
_COUNTS = 2 * _SETS + 6


def encode(analysis: Analysis) -> bytes:
    text = {
        "depth": analysis.depth,
        "lines": analysis.lines,
        "namespace": analysis.namespace,
        "symbols": _transpose(analysis.symbols),
        "references": _transpose(analysis.references),
        "imports": _transpose(analysis.imports),
        "docstrings": _transpose(analysis.docstrings),
        "comments": _transpose(analysis.comments),
    }
    spelt = json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    packed = zlib.compress(spelt, 1)
    numbers = _encode_numbers(analysis)
    return _LENGTHS.pack(_MAGIC, len(packed), len(spelt), zlib.crc32(numbers)) + packed + numbers


def decode(data: bytes) -> Analysis:
    """All but the words, which `decode_words` reads. Raise `StorageError` for bytes that `encode` did not make."""
    with _refuse_damaged():
        packed, size, _ = _read_lengths(data)
        text = json.loads(
            zlib.decompress(data[_LENGTHS.size : _LENGTHS.size + packed], bufsize=size).decode("utf-8", "surrogatepass")
        )
        return Analysis(
            Depth(text["depth"]),
            int(text["lines"]),
            namespace=text["namespace"],
            symbols=_build_rows(Symbol, text["symbols"]),
            references=_build_rows(Reference, text["references"]),
            imports=_build_rows(Import, text["imports"]),
            docstrings=_build_rows(Docstring, text["docstrings"]),
            comments=_build_rows(Comment, text["comments"]),
        )


def decode_words(data: bytes) -> Wording:
    """The words alone; the rest is not decoded. Raise `StorageError` for bytes that `encode` did not make."""
    with _refuse_damaged():
        packed, _, summed = _read_lengths(data)
        at = _LENGTHS.size + packed
        if zlib.crc32(data[at:]) != summed:
            raise ValueError("not what was written")
        take = _Numbers(data, at).take
        terms_count, *sizes, two, three, unit_pairs, chunk_count, unit_count = map(int, take(np.uint32, _COUNTS))
        terms = take(np.uint64, terms_count)
        at_all = take(np.uint32, sum(sizes[:_SETS]))
        term_all = take(_choose_dtype(terms_count), sum(sizes[_SETS:])).astype(np.uint32)
        times_all = take(np.uint16, sum(sizes[_SETS:]))
        sets, text_at, entry_at = [], 0, 0
        for texts, entries in zip(sizes[:_SETS], sizes[_SETS:], strict=True):
            inside = slice(entry_at, entry_at + entries)
            sets.append(Bags(at_all[text_at : text_at + texts], term_all[inside], times_all[inside]))
            text_at, entry_at = text_at + texts, entry_at + entries
        grams = Grams(take(np.uint32, two), take(np.uint32, three), take(np.uint64, unit_pairs))
        chunks = take(np.int32, 3 * chunk_count).reshape(3, chunk_count).tolist()
        units = take(np.int32, 3 * unit_count).reshape(3, unit_count).tolist()
        hashes = take(np.int64, chunk_count).tolist()
        return Wording(tuple(map(Chunk, *chunks, hashes)), Words(terms, *sets), grams, tuple(map(Unit, *units)))


def _encode_numbers(analysis: Analysis) -> bytes:
    words, grams, chunks, units = analysis.words, analysis.grams, analysis.chunks, analysis.units
    sets = words[1:]
    at, term, times = (np.concatenate(column) for column in zip(*sets, strict=True))
    sizes = [*(len(bags.at) for bags in sets), *(len(bags.term) for bags in sets)]
    amounts = (len(grams.two), len(grams.three), len(grams.units), len(chunks), len(units))
    counts = np.array([len(words.terms), *sizes, *amounts], np.uint32)
    narrow = term.astype(_choose_dtype(len(words.terms)))
    spans = [np.array([row[:3] for row in rows], np.int32).T for rows in (chunks, units)]
    hashes = np.array([chunk.hash for chunk in chunks], np.int64)
    arrays = (words.terms, at, narrow, times, grams.two, grams.three, grams.units, *spans, hashes)
    return b"".join(array.tobytes() for array in (counts, *arrays))


def _choose_dtype(terms: int) -> type[np.uint16] | type[np.uint32]:
    return np.uint16 if terms <= np.iinfo(np.uint16).max else np.uint32


def _read_lengths(data: bytes) -> tuple[int, int, int]:
    magic, packed, size, summed = _LENGTHS.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("not an analysis")
    return packed, size, summed


@contextmanager
def _refuse_damaged() -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError, struct.error, zlib.error) as error:
        raise StorageError("an analysis kept in the index is damaged", hint="It is rebuilt.") from error


def _transpose(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Columns instead of rows: JSON parses a few long lists much faster than many short ones."""
    return list(zip(*rows, strict=True))


def _build_rows(make: Callable[..., _Row], columns: Sequence[Sequence[Any]]) -> tuple[_Row, ...]:
    if len({len(column) for column in columns}) > 1:
        raise ValueError("columns of unequal length")
    return tuple(map(make, *columns)) if columns else ()


class _Numbers:
    """Reads arrays one after the other, in the order in which `encode` wrote them."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, kind: Any, count: int) -> Any:
        size = np.dtype(kind).itemsize * count
        if count < 0 or self._at + size > len(self._data):
            raise ValueError("too short")
        array = np.frombuffer(self._data, kind, count, self._at)
        self._at += size
        return array
