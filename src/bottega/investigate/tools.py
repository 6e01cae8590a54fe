"""What `investigate` needs from the house, handed in by the workshop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from bottega.investigate.entries import DirEntry, FileEntry
from bottega.journal import InvestigationStore
from bottega.pipeline import Run


@dataclass(frozen=True, slots=True)
class InvestigateTools:
    """`describe` hands what was said about files and directories to the knowledge base; how many it could use.

    `mask` hides secrets before a model sees a text. `list_imports` gives the imports between directories of a target,
    `find_cost` the dollars that a run has cost, `None` where a price is unknown.
    """

    root: Path
    investigations: InvestigationStore
    mask: Callable[[str], str]
    describe: Callable[[str, Path, Mapping[str, FileEntry], Mapping[str, DirEntry]], int]
    list_imports: Callable[[Path, Collection[str], int], list[dict[str, object]]]
    find_cost: Callable[[str], float | None]


InvestigateRun = Run[InvestigateTools]
