"""The data that ranking reads, opened once for many queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from posixpath import dirname
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.index import LINK_KINDS, Part, Snapshot
from bottega.retrieve.search.history import History
from bottega.retrieve.search.postings import Field, Grams
from bottega.source.roles import Role
from bottega.source.text import read_text
from bottega.source.words import identifiers, terms_of

Links = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


class Corpus:
    """The files and chunks of one snapshot by index."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.paths = [file.path for file in snapshot.files]
        self.size = len(self.paths)
        roles = [file.role for file in snapshot.files]
        self.is_test = np.array([role == Role.TEST for role in roles], bool)
        self.is_docs = np.array([role == Role.DOCS for role in roles], bool)
        self.is_config = np.array([role == Role.CONFIG for role in roles], bool)
        self._links: dict[str, Links] = {}
        self._lay_out_chunks()

    def _lay_out_chunks(self) -> None:
        """Number the chunks of existing files by file and line, independent of segments."""
        alive = [places[arrays["chunk_file"]] >= 0 for arrays, places in self.snapshot.parts]
        parts = list(zip(self.snapshot.parts, alive, strict=True))
        file = _concatenate([places[arrays["chunk_file"]][kept] for (arrays, places), kept in parts])
        first = _concatenate([arrays["chunk_first"][kept] for (arrays, _), kept in parts])
        order = np.lexsort((first, file))
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        self._chunk_parts, before = [], 0
        for (arrays, _), kept in parts:
            places = np.full(len(kept), -1, np.int64)
            places[kept] = number[before : before + int(kept.sum())]
            before += int(kept.sum())
            self._chunk_parts.append(Part(arrays, places))
        self.chunks = len(order)
        self.chunk_file: NDArray[np.int64] = file[order]
        self.chunk_first: NDArray[np.int64] = first[order]
        self.chunk_last: NDArray[np.int64] = _concatenate([a["chunk_last"][kept] for (a, _), kept in parts])[order]
        self.chunk_symbol: NDArray[np.int64] = _concatenate([a["chunk_symbol"][kept] for (a, _), kept in parts])[order]
        self.chunk_hash: NDArray[np.int64] = _concatenate([a["chunk_hash"][kept] for (a, _), kept in parts])[order]

    @cached_property
    def purposes(self) -> dict[int, str]:
        """The purpose of each file as a model described it, by file index; of the current content only."""
        return {file: said for file, (said, _) in self._described.items() if said}

    @cached_property
    def described(self) -> dict[int, frozenset[int]]:
        """The words of descriptions of files and of their directories, by file index."""
        return {
            file: frozenset(term for word in identifiers(f"{said} {around}") for term in terms_of(word))
            for file, (said, around) in self._described.items()
        }

    @cached_property
    def _described(self) -> dict[int, tuple[str, str]]:
        base = self.snapshot.base
        files = {said.path: said for said in base.get_metadata()}
        folders = base.get_directory_summaries()
        found: dict[int, tuple[str, str]] = {}
        for number, path in enumerate(self.paths) if files or folders else ():
            said = files.get(path)
            around = folders.get(f"{dirname(path)}/" if dirname(path) else "./", "")
            if said is not None:
                around = " ".join((around, said.module, said.domain, *said.concepts))
            if said is not None or around:
                found[number] = (said.purpose if said is not None else "", around)
        return found

    def chunk_at(self, file: int, line: int) -> int:
        """The chunk of a file that contains a line, -1 for none."""
        low, high = np.searchsorted(self.chunk_file, [file, file + 1])
        place = int(np.searchsorted(self.chunk_first[low:high], line, side="right")) - 1
        return int(low) + place if place >= 0 else -1

    def find_document(self, file: int) -> tuple[Mapping[str, NDArray[Any]], int]:
        """The arrays of the segment that holds a file, and its place there."""
        part, document = self._documents[file]
        return self.snapshot.parts[part].arrays, int(document)

    @cached_property
    def _documents(self) -> NDArray[np.int64]:
        """For each file the segment that holds it and its place there."""
        found = np.zeros((self.size, 2), np.int64)
        for part, (_, places) in enumerate(self.snapshot.parts):
            documents = np.flatnonzero(places >= 0)
            found[places[documents]] = np.stack([np.full(len(documents), part), documents], axis=1)
        return found

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The index of each file by its id in the tables."""
        return {file.id: number for number, file in enumerate(self.snapshot.files)}

    @cached_property
    def chunk(self) -> Field:
        return Field("chunk", self._chunk_parts, self.chunks)

    @cached_property
    def chunk_names(self) -> Field:
        return Field("name", self._chunk_parts, self.chunks, b=0.3)

    @cached_property
    def file(self) -> Field:
        return self._open_field("file", k1=1.5)

    @cached_property
    def head(self) -> Field:
        return self._open_field("head")

    @cached_property
    def definitions(self) -> Field:
        return self._open_field("define", b=0.5)

    @cached_property
    def path(self) -> Field:
        return self._open_field("path", b=0.3)

    @cached_property
    def stem(self) -> Field:
        return self._open_field("stem")

    @cached_property
    def exact(self) -> Field:
        return self._open_field("exact")

    @cached_property
    def loose(self) -> Field:
        return self._open_field("loose")

    @cached_property
    def pairs(self) -> Grams:
        return Grams("two", self.snapshot.parts, self.size)

    @cached_property
    def triples(self) -> Grams:
        return Grams("three", self.snapshot.parts, self.size)

    @cached_property
    def history(self) -> History:
        return History(self.snapshot.history, {path: number for number, path in enumerate(self.paths)})

    @cached_property
    def folders(self) -> NDArray[np.int64]:
        """The index of each file's folder."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(dirname(path), len(numbers)) for path in self.paths], np.int64)

    @cached_property
    def tails(self) -> dict[str, list[int]]:
        """Files by the last component of their path."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, path in enumerate(self.paths):
            found[path.rsplit("/", 1)[-1]].append(number)
        return found

    @cached_property
    def modules(self) -> dict[str, list[tuple[int, bool]]]:
        """Files by every dotted suffix of their path, and whether that is the whole path."""
        found: dict[str, list[tuple[int, bool]]] = defaultdict(list)
        for number, path in enumerate(self.paths):
            names = path.rsplit(".", 1)[0].split("/")
            if names[-1] == "__init__":
                names = names[:-1]
            for length in range(1, min(6, len(names)) + 1):
                found[".".join(names[-length:])].append((number, length == len(names)))
        return found

    def links(self, kind: str) -> Links:
        """Sources, targets and weights of links of one kind between ranked files."""
        if kind not in self._links:
            self._links[kind] = self._load_links(kind)
        return self._links[kind]

    def _load_links(self, kind: str) -> Links:
        arrays = self.snapshot.links
        numbers = np.array([file.id for file in self.snapshot.files], np.int64)
        order = np.argsort(numbers)
        chosen = arrays["kind"] == LINK_KINDS.index(kind)
        ends = []
        for name in ("source", "target"):
            ids = arrays[name][chosen]
            place = np.minimum(np.searchsorted(numbers[order], ids), max(len(order) - 1, 0))
            ends.append(np.where(numbers[order][place] == ids, order[place], -1) if len(order) else ids[:0])
        known = (ends[0] >= 0) & (ends[1] >= 0)
        return ends[0][known], ends[1][known], arrays["weight"][chosen][known].astype(np.float64)

    def best_chunk_scores(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """For each file the score of its best chunk."""
        best = np.zeros(self.size, np.float32)
        np.maximum.at(best, self.chunk_file, scores)
        return best

    def text(self, chunk: int) -> str:
        """The current text of a chunk; "" when it no longer exists."""
        path = self.snapshot.root / self.paths[int(self.chunk_file[chunk])]
        try:
            text = read_text(path, below=self.snapshot.root) or ""
        except OSError:
            return ""
        return "\n".join(text.split("\n")[int(self.chunk_first[chunk]) - 1 : int(self.chunk_last[chunk])])

    def _open_field(self, name: str, *, k1: float = 1.2, b: float = 0.75) -> Field:
        return Field(name, self.snapshot.parts, self.size, k1=k1, b=b)


def _concatenate(arrays: list[NDArray[Any]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *arrays]).astype(np.int64)
