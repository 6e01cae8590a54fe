"""The encoders that are trained: MiniLM's shape in any depth and width, and a table without layers."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

DIMENSIONS = 256
POSITIONS = 130


@dataclass(frozen=True)
class Shape:
    """`layers` names the layers of the teacher that a student starts with; a narrow one has no use for them.

    `readings` is how often the mean of a text looks at its words again.
    """

    layers: tuple[int, ...]
    width: int = 384
    inner: int = 1536
    heads: int = 12
    activation: str = "gelu"
    projected: bool = True
    readings: int = 0


SHAPES = {
    "teacher": Shape((0, 1, 2, 3, 4, 5), projected=False),
    "three": Shape((0, 2, 5)),
    "two": Shape((0, 5)),
    "two-slim": Shape((0, 5), inner=384, activation="relu"),
    "two-read": Shape((0, 5), inner=384, activation="relu", readings=3),
    "one": Shape((5,)),
    "three-narrow": Shape((0, 2, 5), width=256, inner=512, heads=8, activation="relu"),
    "two-narrow": Shape((0, 5), width=256, inner=512, heads=8, activation="relu"),
    "table": Shape((), width=256),
}


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads, self.activation = shape.heads, shape.activation
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.back = nn.Linear(width, shape.inner), nn.Linear(shape.inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        rows, length, width = state.shape
        query, key, value = self.qkv(state).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        state = self.norm1(state + self.out(seen.transpose(1, 2).reshape(rows, length, width)))
        inner = self.wide(state)
        inner = functional.relu(inner) if self.activation == "relu" else functional.gelu(inner, approximate="tanh")
        return self.norm2(state + self.back(inner))


class Reading(nn.Module):
    """The one vector of a text looks at all its words: next to free, since it is one for a text and not for each word.

    It begins as if it were not there.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.query, self.out = nn.Linear(width, width), nn.Linear(width, width)
        self.key, self.value = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.wide, self.back = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        for last in (self.out, self.back):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, pooled: Tensor, state: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = state.shape
        query = self.query(self.norm1(pooled)).view(rows, 1, self.heads, -1).transpose(1, 2)
        key, value = (led(state).view(rows, length, self.heads, -1).transpose(1, 2) for led in (self.key, self.value))
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        pooled = pooled + self.out(seen.reshape(rows, -1))
        return pooled + self.back(functional.relu(self.wide(self.norm2(pooled))))


class Encoder(nn.Module):
    """Words and places, layers, a weighted mean that may read on, and a projection for students."""

    def __init__(self, shape: Shape, vocabulary: int) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(vocabulary, shape.width, padding_idx=0)
        self.places = nn.Embedding(POSITIONS, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-6)
        self.layers = nn.ModuleList([Layer(shape) for _ in shape.layers])
        self.weigh = nn.Parameter(torch.zeros(shape.width))
        self.readings = nn.ModuleList([Reading(shape) for _ in range(shape.readings)])
        self.project = nn.Linear(shape.width, DIMENSIONS, bias=False) if shape.projected else nn.Identity()

    def forward(self, ids: Tensor) -> Tensor:
        mask = ids != 0
        state = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        for layer in self.layers:
            state = layer(state, mask)
        weight = (state @ self.weigh).float().masked_fill(~mask, -1e4).softmax(1)
        pooled = (state * weight[..., None].to(state.dtype)).sum(1)
        for reading in self.readings:
            pooled = reading(pooled, state, mask)
        return self.project(pooled)


class Table(nn.Module):
    """One vector for each word, with a weight of its own in questions and in texts."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.shape = SHAPES["table"]
        self.words = nn.Embedding(vocabulary, DIMENSIONS, padding_idx=0)
        self.asked, self.held = nn.Parameter(torch.zeros(vocabulary)), nn.Parameter(torch.zeros(vocabulary))

    def forward(self, ids: Tensor) -> Tensor:
        is_question = (ids[:, :1] == 2).float()
        weight = torch.exp(is_question * self.asked[ids] + (1 - is_question) * self.held[ids]) * (ids > 3)
        return torch.bmm(weight[:, None], self.words(ids).float())[:, 0]


def from_minilm(start: dict[str, Any]) -> Encoder:
    """The teacher before it has learnt anything about code."""
    given = {name: torch.from_numpy(value.astype(np.float32)) for name, value in start.items()}
    model = Encoder(SHAPES["teacher"], len(given["words"]))
    state = {"words.weight": given["words"]}
    places = given["embeddings.position_embeddings.weight"] + given["embeddings.token_type_embeddings.weight"][0]
    state["places.weight"] = places[:POSITIONS]
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = given[f"embeddings.LayerNorm.{part}"]
        for number in range(6):
            there, here = f"encoder.layer.{number}", f"layers.{number}"
            three = [given[f"{there}.attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            state[f"{here}.qkv.{part}"] = torch.cat(three)
            state[f"{here}.out.{part}"] = given[f"{there}.attention.output.dense.{part}"]
            state[f"{here}.norm1.{part}"] = given[f"{there}.attention.output.LayerNorm.{part}"]
            state[f"{here}.wide.{part}"] = given[f"{there}.intermediate.dense.{part}"]
            state[f"{here}.back.{part}"] = given[f"{there}.output.dense.{part}"]
            state[f"{here}.norm2.{part}"] = given[f"{there}.output.LayerNorm.{part}"]
    state["weigh"] = torch.zeros(384)
    model.load_state_dict(state)
    return model


def from_exported(folder: Path, name: str) -> Encoder:
    """A model as the package holds it, in full numbers again; `name` may ask for readings that it does not have."""
    described = json.loads((folder / "weights.json").read_text())
    stored = np.fromfile(folder / "weights.bin", np.uint8)

    def raw(array: str) -> np.ndarray:
        place = described["arrays"][array]
        kind = np.dtype(place["type"])
        end = place["at"] + math.prod(place["shape"]) * kind.itemsize
        found: np.ndarray = stored[place["at"] : end].view(kind).reshape(place["shape"])
        return found

    state = {}
    for array in described["arrays"]:
        if not array.endswith(".scale"):
            scale = raw(f"{array}.scale") if f"{array}.scale" in described["arrays"] else np.float32(1)
            full = f"{array}.weight" if array in {"words", "places", "project"} else array
            state[full] = torch.from_numpy(raw(array).astype(np.float32) * scale)
    model = Encoder(SHAPES[name], len(state["words.weight"]))
    missing, _ = model.load_state_dict(state, strict=False)
    if lost := [key for key in missing if not key.startswith("readings.")]:
        raise ValueError(f"{folder} lacks {', '.join(lost)}")
    return model


@torch.no_grad()
def student(name: str, teacher: Encoder, projection: Tensor, vectors: Tensor | None = None) -> nn.Module:
    """A student that starts with as much of the teacher as fits; `projection` leads to the shared space."""
    shape = SHAPES[name]
    count, width = teacher.words.weight.shape
    if not shape.layers:
        table = Table(count)
        if vectors is not None:
            table.words.weight.copy_(vectors)
        return table
    model = Encoder(shape, count)
    basis = torch.eye(width)
    if shape.width < width:
        table32 = teacher.words.weight.float()
        _, basis = torch.linalg.eigh(table32.T @ table32)
        basis = basis[:, -shape.width :]
        scale = math.sqrt(width / shape.width)
    else:
        scale = 1.0
    model.words.weight.copy_(teacher.words.weight.float() @ basis * scale)
    model.places.weight.copy_(teacher.places.weight.float() @ basis * scale)
    if shape.width == width:
        model.norm.load_state_dict(teacher.norm.state_dict())
        model.weigh.copy_(teacher.weigh)
    for mine, number in zip(model.layers, shape.layers, strict=True):
        _start_layer(mine, teacher.layers[number], basis, shape)
    model.project.weight.copy_((basis.T @ projection).T)
    return model


def _start_layer(mine: Any, theirs: Any, basis: Tensor, shape: Shape) -> None:
    width = theirs.out.weight.shape[0]
    strength = theirs.wide.weight.norm(dim=1) * theirs.back.weight.norm(dim=0)
    chosen = strength.topk(shape.inner).indices.sort().values
    mine.wide.weight.copy_(theirs.wide.weight[chosen] @ basis)
    mine.wide.bias.copy_(theirs.wide.bias[chosen])
    mine.back.weight.copy_(basis.T @ theirs.back.weight[:, chosen])
    mine.back.bias.copy_(theirs.back.bias @ basis)
    if shape.width == width:
        mine.qkv.load_state_dict(theirs.qkv.state_dict())
        mine.out.load_state_dict(theirs.out.state_dict())
        mine.norm1.load_state_dict(theirs.norm1.state_dict())
        mine.norm2.load_state_dict(theirs.norm2.state_dict())
        return
    # Fewer heads of the same size: the first ones of each of query, key and value.
    heads = torch.arange(shape.width)
    for part in range(3):
        rows = theirs.qkv.weight[part * width : (part + 1) * width][heads]
        mine.qkv.weight[part * shape.width : (part + 1) * shape.width].copy_(rows @ basis)
        mine.qkv.bias[part * shape.width : (part + 1) * shape.width].copy_(
            theirs.qkv.bias[part * width : (part + 1) * width][heads]
        )
    mine.out.weight.copy_(basis.T @ theirs.out.weight[:, heads])
    mine.out.bias.copy_(theirs.out.bias @ basis)
