"""The repository map: its most used files within a token budget, each with its most used definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bottega.amounts import plural
from bottega.index import Snapshot, SymbolRow
from bottega.retrieve.search.corpus import Corpus
from bottega.source import estimate_tokens
from bottega.source.roles import Role

_STEPS, _DAMPING = 30, 0.85
_SYMBOLS_OF_A_FILE = 12
_LONGEST_SIGNATURE = 110


@dataclass(frozen=True, slots=True)
class MappedFile:
    """A file with the symbols to show, in order."""

    path: str
    weight: float
    symbols: tuple[SymbolRow, ...]

    def __str__(self) -> str:
        lines = [self.path]
        for symbol in self.symbols:
            depth = symbol.qualified.count(".") + 1
            lines.append(f"{'  ' * min(depth, 4)}{_shorten(symbol)}  :{symbol.first}")
        return "\n".join(line.replace("\n", "\\n") for line in lines)


@dataclass(frozen=True, slots=True)
class RepositoryMap:
    """`left_out` counts the code files that did not fit."""

    files: tuple[MappedFile, ...]
    left_out: int
    tokens: int

    def __str__(self) -> str:
        body = "\n".join(str(file) for file in self.files)
        return f"{body}\n… and {plural(self.left_out, 'more file')}\n" if self.left_out else f"{body}\n"


def repository_map(snapshot: Snapshot, *, tokens: int = 1024, folder: str = "") -> RepositoryMap:
    """Files ranked by how much others use them, each with its most used symbols, as many as fit."""
    corpus = Corpus(snapshot)
    base = snapshot.base
    rank = _rank_files(corpus)
    used = base.get_symbol_uses()
    order = [int(n) for n in np.lexsort((np.arange(corpus.size), -np.round(rank, 9)))]
    chosen = [n for n in order if snapshot.files[n].role == Role.CODE and _is_below(corpus.paths[n], folder)]
    files: list[MappedFile] = []
    spent = estimate_tokens(f"… and {plural(len(chosen), 'more file')}\n")
    for number in chosen:
        file = snapshot.files[number]
        shown = _choose_symbols(base.get_symbols_for_file(file.id), used)
        mapped = MappedFile(file.path, round(float(rank[number]), 6), tuple(shown))
        cost = estimate_tokens(f"{mapped}\n")
        if spent + cost > tokens:
            mapped = MappedFile(file.path, mapped.weight, ())
            cost = estimate_tokens(f"{mapped}\n")
            if spent + cost > tokens:
                break
        files.append(mapped)
        spent += cost
    return RepositoryMap(tuple(sorted(files, key=lambda f: f.path)), len(chosen) - len(files), spent)


def _rank_files(corpus: Corpus) -> NDArray[np.float64]:
    """PageRank over uses and imports; test files are excluded."""
    size = corpus.size
    ends = [corpus.links(kind) for kind in ("uses", "imports")]
    source, target, weight = (np.concatenate(column) for column in zip(*ends, strict=True))
    voting = ~(corpus.is_test[source] | corpus.is_test[target])
    source, target, weight = source[voting], target[voting], np.log1p(weight[voting])
    weight = weight / np.maximum(np.bincount(source, weight, minlength=size), 1e-9)[source]
    rank = np.full(size, 1 / max(size, 1))
    for _ in range(_STEPS):
        rank = (1 - _DAMPING) / max(size, 1) + _DAMPING * np.bincount(target, weight * rank[source], minlength=size)
    return rank


def _choose_symbols(symbols: Sequence[SymbolRow], used: Mapping[int, float]) -> list[SymbolRow]:
    """The most used symbols by line; of several definitions, as stubs of overloads are, the longest."""
    definitions: dict[str, list[SymbolRow]] = {}
    for symbol in symbols:
        definitions.setdefault(symbol.node, []).append(symbol)
    longest = {node: max(same, key=lambda s: s.last - s.first) for node, same in definitions.items()}
    uses = {node: max(used.get(s.id, 0.0) for s in same) for node, same in definitions.items()}
    best = sorted(longest.values(), key=lambda s: (-uses[s.node], s.first))[:_SYMBOLS_OF_A_FILE]
    return sorted((s for s in best if uses[s.node]), key=lambda s: (s.first, -s.last))


def _is_below(path: str, folder: str) -> bool:
    folder = folder.strip("/")
    return not folder or path.startswith(f"{folder}/")


def _shorten(symbol: SymbolRow) -> str:
    text = symbol.signature or symbol.name
    return text if len(text) <= _LONGEST_SIGNATURE else text[: _LONGEST_SIGNATURE - 1] + "…"
