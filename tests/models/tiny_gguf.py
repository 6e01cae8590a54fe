"""A GGUF of a few hundred kilobytes that counts for ever, so that the embedded worker can be tested without weights.

Attention and feed-forward weights are 0: the last token alone decides the next one. Each counting token is followed by
the next, the last one by the first, and every other token by the first.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

COUNTING = 200
_SPECIAL = ("<unk>", "<s>", "</s>")
_BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
_WORDS = tuple(f"▁number{index:03d}" for index in range(COUNTING))
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_WIDTH, _HEADS, _FORWARD = 256, 4, 32
_CONTEXT = 65_536
_UINT32, _INT32, _FLOAT32, _STRING, _ARRAY = 4, 5, 6, 8, 9
_ALIGNMENT = 32


def write_tiny_gguf(path: Path) -> None:
    tensors = _tensors()
    metadata = _metadata()
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(metadata)) + b"".join(metadata)
    data = bytearray()
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        data += tensor.astype("<f4").tobytes()
        data += bytes(-len(data) % _ALIGNMENT)
    path.write_bytes(head + bytes(-len(head) % _ALIGNMENT) + data)


def _tensors() -> dict[str, npt.NDArray[np.float32]]:
    first = len(_SPECIAL) + len(_BYTES)
    count = first + COUNTING
    embedding = np.zeros((count, _WIDTH), np.float32)
    output = np.zeros((count, _WIDTH), np.float32)
    embedding[:first, COUNTING - 1] = 1
    for index in range(COUNTING):
        embedding[first + index, index] = 1
        output[first + (index + 1) % COUNTING, index] = 10
    square = np.zeros((_WIDTH, _WIDTH), np.float32)
    return {
        "token_embd.weight": embedding,
        "output_norm.weight": np.ones(_WIDTH, np.float32),
        "output.weight": output,
        "blk.0.attn_norm.weight": np.ones(_WIDTH, np.float32),
        "blk.0.attn_q.weight": square,
        "blk.0.attn_k.weight": square,
        "blk.0.attn_v.weight": square,
        "blk.0.attn_output.weight": square,
        "blk.0.ffn_norm.weight": np.ones(_WIDTH, np.float32),
        "blk.0.ffn_gate.weight": np.zeros((_FORWARD, _WIDTH), np.float32),
        "blk.0.ffn_up.weight": np.zeros((_FORWARD, _WIDTH), np.float32),
        "blk.0.ffn_down.weight": np.zeros((_WIDTH, _FORWARD), np.float32),
    }


def _metadata() -> list[bytes]:
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * len(_BYTES), *[_NORMAL] * COUNTING]
    tokens = (*_SPECIAL, *_BYTES, *_WORDS)
    return [
        _string("general.architecture", "llama"),
        _number("llama.context_length", _CONTEXT),
        _number("llama.embedding_length", _WIDTH),
        _number("llama.block_count", 1),
        _number("llama.feed_forward_length", _FORWARD),
        _number("llama.attention.head_count", _HEADS),
        _text("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", _FLOAT32, 1e-5),
        _number("llama.rope.dimension_count", _WIDTH // _HEADS),
        _string("tokenizer.ggml.model", "llama"),
        _array("tokenizer.ggml.tokens", _STRING, b"".join(map(_text, tokens)), len(tokens)),
        _array("tokenizer.ggml.scores", _FLOAT32, struct.pack(f"<{len(tokens)}f", *[0.0] * len(tokens)), len(tokens)),
        _array("tokenizer.ggml.token_type", _INT32, struct.pack(f"<{len(kinds)}i", *kinds), len(kinds)),
        _number("tokenizer.ggml.bos_token_id", 1),
        _number("tokenizer.ggml.eos_token_id", 2),
        _number("tokenizer.ggml.unknown_token_id", 0),
    ]


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _string(name: str, value: str) -> bytes:
    return _text(name) + struct.pack("<I", _STRING) + _text(value)


def _number(name: str, value: int) -> bytes:
    return _text(name) + struct.pack("<II", _UINT32, value)


def _array(name: str, kind: int, data: bytes, count: int) -> bytes:
    return _text(name) + struct.pack("<IIQ", _ARRAY, kind, count) + data
