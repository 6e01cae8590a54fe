"""The tools of the `enrich` actions: the type of `run.tools`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bottega.enrich.state import DescribedFile, FileToDescribe
from bottega.pipeline import Run


@dataclass(frozen=True, slots=True)
class FileContent:
    """What the model reads of a file."""

    outline: str
    text: str


@dataclass(frozen=True, slots=True)
class EnrichTools:
    """`find_files` lists files without a description, `read` reads one, `store` records its description or error."""

    find_files: Callable[[Sequence[str], str], list[FileToDescribe]]
    read: Callable[[str], FileContent]
    store: Callable[[str, DescribedFile, str], None]
    parallel: int = 1


EnrichRun = Run[EnrichTools]
