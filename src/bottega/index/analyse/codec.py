"""An analysis as bytes and back: text as JSON, numbers as arrays. Nothing in it can run."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from typing import Any

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
    Words,
)

_MAGIC = b"BA01"
_LENGTHS = struct.Struct("<4sIII")


def encode(analysis: Analysis) -> bytes:
    words, grams = analysis.words, analysis.grams
    sets = words[1:]
    narrow = np.uint16 if len(words.terms) <= np.iinfo(np.uint16).max else np.uint32
    text = {
        "depth": analysis.depth,
        "lines": analysis.lines,
        "namespace": analysis.namespace,
        "symbols": analysis.symbols,
        "references": analysis.references,
        "imports": analysis.imports,
        "docstrings": analysis.docstrings,
        "comments": analysis.comments,
        "chunks": analysis.chunks,
        "terms": len(words.terms),
        "bags": [[len(bags.at), len(bags.term)] for bags in sets],
        "grams": [len(grams.two), len(grams.three)],
    }
    spelt = json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    packed = zlib.compress(spelt, 1)
    arrays = [words.terms, *(array for bags in sets for array in (bags.at, bags.term.astype(narrow), bags.times))]
    numbers = b"".join(array.tobytes() for array in (*arrays, grams.two, grams.three))
    return _LENGTHS.pack(_MAGIC, len(packed), len(spelt), zlib.crc32(numbers)) + packed + numbers


def decode(data: bytes, *, with_words: bool = True) -> Analysis:
    """Raise `StorageError` for bytes that `encode` did not make. Symbols and references alone come quicker."""
    try:
        text, at = _text(data, check=with_words)
        return _analysis(text, _Numbers(data, at) if with_words else None)
    except (ValueError, KeyError, TypeError, IndexError, struct.error, zlib.error) as error:
        raise StorageError("an analysis kept in the index is damaged", hint="It is made anew.") from error


class _Numbers:
    """Arrays one after the other, in the order `encode` wrote them."""

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


def _text(data: bytes, *, check: bool) -> tuple[dict[str, Any], int]:
    magic, packed, size, summed = _LENGTHS.unpack_from(data)
    at = _LENGTHS.size + packed
    if magic != _MAGIC or (check and zlib.crc32(data[at:]) != summed):
        raise ValueError("not an analysis")
    words = zlib.decompress(data[_LENGTHS.size : at], bufsize=size)
    text = json.loads(words.decode("utf-8", "surrogatepass"))
    if not isinstance(text, dict):
        raise TypeError("not an object")
    return text, at


def _analysis(text: dict[str, Any], numbers: _Numbers | None) -> Analysis:
    found = Analysis(
        Depth(text["depth"]),
        int(text["lines"]),
        namespace=text["namespace"],
        symbols=tuple(map(Symbol._make, text["symbols"])),
        references=tuple(map(Reference._make, text["references"])),
        imports=tuple(map(Import._make, text["imports"])),
        docstrings=tuple(map(Docstring._make, text["docstrings"])),
        comments=tuple(map(Comment._make, text["comments"])),
        chunks=tuple(map(Chunk._make, text["chunks"])),
    )
    if numbers is None:
        return found
    terms = numbers.take(np.uint64, text["terms"])
    narrow = np.uint16 if len(terms) <= np.iinfo(np.uint16).max else np.uint32
    sets = [
        Bags(
            numbers.take(np.uint32, texts),
            numbers.take(narrow, entries).astype(np.uint32),
            numbers.take(np.uint16, entries),
        )
        for texts, entries in text["bags"]
    ]
    grams = Grams(*(numbers.take(np.uint32, length) for length in text["grams"]))
    return replace(found, words=Words(terms, *sets), grams=grams)
