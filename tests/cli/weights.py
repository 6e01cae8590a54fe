"""Weights that are on the machine by name and size, and an interpreter without the runtime for them."""

from __future__ import annotations

from pathlib import Path

from bottega.models.weights import find

WITHOUT_RUNTIME = """
import importlib.abc, importlib.util, sys

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "xllamacpp" else find_spec(name, package)
"""


def place_weights(cache: Path, name: str = "qwen2.5-coder-1.5b") -> None:
    """A file of the right name and size, which takes no space."""
    weights = find(name)
    folder = cache / "bottega" / "models"
    folder.mkdir(parents=True)
    with (folder / weights.file).open("wb") as file:
        file.truncate(weights.size)
