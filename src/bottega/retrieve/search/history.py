"""Signals from commit messages for the files that the commits touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.index import Part
from bottega.retrieve.search.postings import Field, sort_weights

# A commit that touches more files is weak evidence for each of them.
_MOST_FILES = 12
_NEAREST = 150
_MOST_HEARD = 2.0
_K1, _B = 1.2, 0.6
_DENSE = 4_000_000


class History:
    def __init__(self, arrays: Mapping[str, NDArray[Any]], places: Mapping[str, int]) -> None:
        self._size = len(places)
        spelt = arrays["paths"].tobytes().decode("utf-8", "replace")
        file_of = np.array([places.get(path, -1) for path in spelt.split("\0")], np.int64)
        count = len(arrays["said.at"]) - 1
        commit, file = arrays["touch.commit"].astype(np.int64), file_of[arrays["touch.path"]]
        known = file >= 0
        commit, file = commit[known], file[known]
        touched = np.bincount(commit, minlength=count)
        speaking = (touched > 0) & (touched <= _MOST_FILES)
        order = np.where(speaking, np.cumsum(speaking) - 1, -1).astype(np.int64)
        kept = speaking[commit] if len(commit) else np.zeros(0, bool)
        self._commit, self._file = order[commit[kept]], file[kept]
        self._share = 1 / np.sqrt(touched[speaking])
        self._messages = Field("message", [Part(arrays, order)], int(speaking.sum()), b=0.5)
        self._at = np.searchsorted(self._commit, np.arange(self._messages.size + 1))
        message_scores = np.minimum(arrays["said.count"], _MOST_HEARD).astype(np.float64)
        owner = np.repeat(order, np.diff(arrays["said.at"]).astype(np.int64))
        lengths = np.bincount(owner[owner >= 0], message_scores[owner >= 0], minlength=self._messages.size)
        self._length = np.bincount(self._file, lengths[self._commit], minlength=self._size)

    @property
    def is_empty(self) -> bool:
        return self._messages.size == 0

    def similar_commits(self, weights: Mapping[int, float]) -> NDArray[np.float32]:
        """Files touched by the commits whose messages are similar to the query."""
        if self.is_empty:
            return np.zeros(self._size, np.float32)
        scores = self._messages.scores(weights).astype(np.float64)
        if len(scores) > _NEAREST:
            kept = np.argpartition(-scores, _NEAREST)[:_NEAREST]
            similar_commits = np.zeros_like(scores)
            similar_commits[kept] = scores[kept]
            scores = similar_commits
        gain = scores[self._commit] ** 2 * self._share[self._commit]
        return np.sqrt(np.bincount(self._file, gain, minlength=self._size)).astype(np.float32)

    def message_scores(self, weights: Mapping[int, float]) -> NDArray[np.float32]:
        """BM25 over the messages of all commits that touched a file."""
        terms, asked = sort_weights(weights)
        found = self._messages.find(terms)
        if not len(found.term):
            return np.zeros(self._size, np.float32)
        low, high = self._at[found.doc], self._at[found.doc + 1]
        lengths = high - low
        pair = np.repeat(low - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
        key = np.repeat(found.term, lengths) * self._size + self._file[pair]
        count = np.repeat(np.minimum(found.times, _MOST_HEARD), lengths)
        if len(terms) * self._size <= _DENSE:
            summed = np.bincount(key, count, minlength=len(terms) * self._size)
            keys = np.flatnonzero(summed)
            total = summed[keys]
        else:
            keys, place = np.unique(key, return_inverse=True)
            total = np.bincount(place, count)
        term, file = keys // self._size, keys % self._size
        df = np.bincount(term, minlength=len(terms))
        idf = np.log(1 + (self._size - df + 0.5) / (df + 0.5))
        norm = _K1 * (1 - _B + _B * self._length / max(float(self._length.mean()), 1e-9))
        gain = (asked * idf)[term] * total * (_K1 + 1) / (total + norm[file])
        return np.bincount(file, gain, minlength=self._size).astype(np.float32)
