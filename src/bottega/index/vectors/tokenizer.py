"""WordPiece tokens: a word of the vocabulary, or its longest parts from the left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

PAD, UNKNOWN, QUERY, TEXT = range(4)
SPECIAL = ("[PAD]", "[UNK]", "[QUESTION]", "[TEXT]")
_INSIDE = "##"


class WordPieceTokenizer:
    """The vocabulary begins with the special tokens; a token from inside a word begins with `##`."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._place = {piece: place for place, piece in enumerate(vocabulary) if place >= len(SPECIAL)}
        self._known: dict[str, list[int]] = {}

    def __call__(self, words: Iterable[str]) -> list[int]:
        known = self._known
        found: list[int] = []
        for word in words:
            pieces = known.get(word)
            if pieces is None:
                pieces = known[word] = self._cut(word)
            found += pieces
        return found

    def _cut(self, word: str) -> list[int]:
        found, start = [], 0
        while start < len(word):
            mark = _INSIDE if start else ""
            end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in self._place), 0)
            if not end:
                return [UNKNOWN]
            found.append(self._place[mark + word[start:end]])
            start = end
        return found
