"""What `enrich` needs from the house, handed in by the workshop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bottega.enrich.state import Entry, Wanted
from bottega.pipeline import Run


@dataclass(frozen=True, slots=True)
class Material:
    """What a model reads about a file."""

    outline: str
    text: str


@dataclass(frozen=True, slots=True)
class EnrichTools:
    """`wanted` lists files not described yet; `material` reads one; `keep` writes down what became of it."""

    wanted: Callable[[Sequence[str], str], list[Wanted]]
    material: Callable[[str], Material]
    keep: Callable[[str, Entry, str], None]
    parallel: int = 1


EnrichRun = Run[EnrichTools]
