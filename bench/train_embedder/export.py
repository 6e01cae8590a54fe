"""Stage 5: a trained model as the two files that the package maps: whole numbers of one byte, and where they lie.

    python -m bench.train_embedder.export --model DIR/NAME.pt [DIR/NAME.half.pt] --to FOLDER

Of several stages of one training the mean is written. Every row of a matrix is divided by its own scale and rounded;
vectors stay 32-bit floats. PyTorch reads the model.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch

_ALIGNED = 64
_LEVELS = 127


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, nargs="+", required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    stages = [torch.load(file, map_location="cpu") for file in options.model]
    mean = {name: sum(stage["state"][name] for stage in stages) / len(stages) for name in stages[0]["state"]}
    write(mean, stages[0]["shape"], options.to)


def write(state: dict[str, torch.Tensor], shape: dict[str, Any], folder: Path) -> None:
    """`activation` is written for who trains on; the package computes `relu` alone."""
    arrays: dict[str, np.ndarray] = {}
    for name, value in sorted(state.items()):
        plain = value.float().numpy()
        short = name.removesuffix(".weight") if name in {"words.weight", "places.weight", "project.weight"} else name
        if plain.ndim == 2:
            scale = np.maximum(np.abs(plain).max(axis=1, keepdims=True) / _LEVELS, 1e-12).astype(np.float32)
            arrays[short], arrays[f"{short}.scale"] = np.round(plain / scale).astype(np.int8), scale
        else:
            arrays[short] = plain.astype(np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    places, data = {}, bytearray()
    for name, array in arrays.items():
        data += bytes(-len(data) % _ALIGNED)
        places[name] = {"at": len(data), "type": array.dtype.name, "shape": array.shape}
        data += array.tobytes()
    described = {
        "fingerprint": f"bottega-{sha256(data).hexdigest()[:12]}",
        "dimensions": len(arrays["project"]) if "project" in arrays else arrays["words"].shape[1],
        "heads": shape["heads"],
        "layers": len(shape["layers"]),
        "readings": shape["readings"],
        "activation": shape["activation"],
        "arrays": places,
    }
    (folder / "weights.bin").write_bytes(data)
    (folder / "weights.json").write_text(json.dumps(described) + "\n")


if __name__ == "__main__":
    main()
