"""A small transformer in NumPy: memory-mapped 8-bit weights, computed in 32-bit floats."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_EPSILON = np.float32(1e-6)
_NEVER = np.float32(-1e4)


Pair = tuple[Floats, Floats]


class _Layer(NamedTuple):
    """Attention, output projection and feed-forward weights."""

    qkv: Pair
    out: Pair
    norm1: Pair
    wide: Pair
    back: Pair
    norm2: Pair


class _Pooling(NamedTuple):
    """Attention pooling of word vectors into one; keys and values are stored by head."""

    norm1: Pair
    query: Pair
    key: Floats
    value: Floats
    out: Pair
    norm2: Pair
    wide: Pair
    back: Pair


class Encoder:
    """`weights.json` gives the offset of each array in `weights.bin`: 8-bit weights, and a scale for each row."""

    def __init__(self, folder: Path) -> None:
        self._described: dict[str, Any] = json.loads((folder / "weights.json").read_text(encoding="utf-8"))
        self._bytes = np.memmap(folder / "weights.bin", np.uint8, "r")
        self.fingerprint: str = self._described["fingerprint"]
        self.dimensions: int = self._described["dimensions"]
        self._heads: int = self._described["heads"]
        self._words, self._word_scale = self._map_array("words"), self._map_array("words.scale")
        self._places = self._load_array("places")
        self._norm = self._load_pair("norm")
        self._layers = [self._load_layer(f"layers.{number}") for number in range(self._described["layers"])]
        self._readings = [self._load_pooling(f"readings.{number}") for number in range(self._described["readings"])]
        self._weigh, self._project = self._load_array("weigh"), self._load_array("project").T.copy()

    def __call__(self, ids: NDArray[np.int64]) -> Floats:
        """A vector of length 1 for each row of token numbers; 0 is padding at the end of a row."""
        rows, length = ids.shape
        is_empty = ids == 0
        flat = ids.ravel()
        state = self._words[flat] * self._word_scale[flat]
        state = state.reshape(rows, length, -1) + self._places[:length]
        state = _normalize(state.reshape(rows * length, -1), self._norm)
        aside = np.where(is_empty, _NEVER, np.float32(0))
        for layer in self._layers:
            seen = _attend(_apply_linear(state, layer.qkv), aside, self._heads)
            state = _normalize(state + _apply_linear(seen, layer.out), layer.norm1)
            inner = _apply_linear(state, layer.wide)
            np.maximum(inner, 0, out=inner)
            state = _normalize(state + _apply_linear(inner, layer.back), layer.norm2)
        weight = _apply_softmax((state @ self._weigh).reshape(rows, length) + aside)
        words = state.reshape(rows, length, -1)
        pooled = np.matmul(weight[:, None], words)[:, 0]
        for reading in self._readings:
            query = _apply_linear(_normalize(pooled.copy(), reading.norm1), reading.query)
            pooled += _apply_linear(_pool_heads(query, words, aside, reading), reading.out)
            inner = _apply_linear(_normalize(pooled.copy(), reading.norm2), reading.wide)
            np.maximum(inner, 0, out=inner)
            pooled += _apply_linear(inner, reading.back)
        pooled = pooled @ self._project
        found: Floats = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), _EPSILON)
        return found

    def _load_layer(self, name: str) -> _Layer:
        turned = {part: self._load_transposed(f"{name}.{part}") for part in ("qkv", "out", "wide", "back")}
        return _Layer(norm1=self._load_pair(f"{name}.norm1"), norm2=self._load_pair(f"{name}.norm2"), **turned)

    def _load_pooling(self, name: str) -> _Pooling:
        turned = {part: self._load_transposed(f"{name}.{part}") for part in ("query", "out", "wide", "back")}
        key, value = (self._load_array(f"{name}.{part}.weight") for part in ("key", "value"))
        width = key.shape[1]
        return _Pooling(
            norm1=self._load_pair(f"{name}.norm1"),
            norm2=self._load_pair(f"{name}.norm2"),
            key=key.reshape(self._heads, -1, width),
            value=np.ascontiguousarray(value.reshape(self._heads, -1, width).swapaxes(1, 2)),
            **turned,
        )

    def _load_transposed(self, name: str) -> Pair:
        weight, bias = self._load_pair(name)
        return np.ascontiguousarray(weight.T), bias

    def _load_pair(self, name: str) -> Pair:
        return self._load_array(f"{name}.weight"), self._load_array(f"{name}.bias")

    def _load_array(self, name: str) -> Floats:
        found: Floats = self._map_array(name).astype(np.float32)
        if f"{name}.scale" in self._described["arrays"]:
            found *= self._map_array(f"{name}.scale")
        return found

    def _map_array(self, name: str) -> NDArray[Any]:
        place = self._described["arrays"][name]
        kind = np.dtype(place["type"])
        size = math.prod(place["shape"]) * kind.itemsize
        found: NDArray[Any] = self._bytes[place["at"] : place["at"] + size].view(kind).reshape(place["shape"])
        return found


def _attend(mixed: Floats, aside: Floats, heads: int) -> Floats:
    rows, length = aside.shape
    parts = mixed.reshape(rows, length, 3, heads, -1).transpose(2, 0, 3, 1, 4)
    query, key, value = parts[0], parts[1], parts[2]
    seen = np.matmul(query, key.swapaxes(2, 3))
    seen *= np.float32(1 / math.sqrt(query.shape[-1]))
    seen += aside[:, None, None, :]
    joined: Floats = np.matmul(_apply_softmax(seen), value).transpose(0, 2, 1, 3).reshape(rows * length, -1)
    return joined


def _pool_heads(query: Floats, words: Floats, aside: Floats, reading: _Pooling) -> Floats:
    """Attention pooling for each head.

    Keys and values are linear, so the query is multiplied by the keys and the mean of the words by the values: once for
    a text instead of once for each word.
    """
    rows, heads = len(query), len(reading.key)
    asked = np.matmul(query.reshape(rows, heads, -1).swapaxes(0, 1), reading.key).swapaxes(0, 1)
    seen = np.matmul(asked, words.swapaxes(1, 2))
    seen *= np.float32(1 / math.sqrt(reading.key.shape[1]))
    seen += aside[:, None]
    means = np.matmul(_apply_softmax(seen), words).swapaxes(0, 1)
    joined: Floats = np.matmul(means, reading.value).swapaxes(0, 1).reshape(rows, -1)
    return joined


def _apply_linear(state: Floats, pair: Pair) -> Floats:
    found = state @ pair[0]
    found += pair[1]
    return found


def _apply_softmax(values: Floats) -> Floats:
    values -= values.max(axis=-1, keepdims=True)
    np.exp(values, out=values)
    values /= values.sum(axis=-1, keepdims=True)
    return values


def _normalize(state: Floats, pair: Pair) -> Floats:
    state -= state.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", state, state) / np.float32(state.shape[1])
    state *= (1 / np.sqrt(spread + _EPSILON))[:, None]
    state *= pair[0]
    state += pair[1]
    return state
