"""The embedder of the package (docs/embedder.md)."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.index.vectors.encoder import Encoder
from bottega.index.vectors.tokenizer import QUERY, TEXT, WordPieceTokenizer
from bottega.index.vectors.wording import list_words

_LONGEST_QUERY, _LONGEST_TEXT = 64, 96
# Batched by length, so results do not depend on the batch.
_STEP = 4
_TOGETHER = 32


class Embedder:
    """Embeds the distinct words of a text as WordPiece tokens; vectors have the length 1.

    `fingerprint` changes whenever the same text would give another vector.
    """

    def __init__(self, folder: Path) -> None:
        self._encoder = Encoder(folder)
        words = gzip.decompress((folder / "vocabulary.txt.gz").read_bytes()).decode().split("\n")[:-1]
        self._tokenize = WordPieceTokenizer(words)
        self.fingerprint = f"{self._encoder.fingerprint}-{_LONGEST_TEXT}"
        self.dimensions = self._encoder.dimensions

    def embed(self, chunks: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """One row for each path and text; folder and file name are embedded with the text."""
        return self._embed([f"{path_names(path)}\n{text}" for path, text in chunks], TEXT, _LONGEST_TEXT)

    def embed_query(self, query: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self._embed([query], QUERY, _LONGEST_QUERY)[0]
        return row

    def _embed(self, texts: Sequence[str], mark: int, longest: int) -> NDArray[np.float32]:
        rows = [[mark, *self._tokenize(list_words(text))][:longest] for text in texts]
        found = np.zeros((len(texts), self.dimensions), np.float32)
        by_steps: dict[int, list[int]] = {}
        for place, ids in enumerate(rows):
            by_steps.setdefault(-(-len(ids) // _STEP), []).append(place)
        for steps, places in sorted(by_steps.items()):
            for at in range(0, len(places), _TOGETHER):
                some = places[at : at + _TOGETHER]
                block = np.zeros((len(some), steps * _STEP), np.int64)
                for row, place in enumerate(some):
                    block[row, : len(rows[place])] = rows[place]
                found[some] = self._encoder(block)
        return found


def path_names(path: str) -> str:
    """The names of folder and file without the ending."""
    folders, _, file = path.rpartition("/")
    stem = file.rpartition(".")[0] or file
    return f"{folders.rpartition('/')[2]} {stem}".strip()


@cache
def open_embedder() -> Embedder:
    return Embedder(Path(str(resources.files(__package__) / "model")))
