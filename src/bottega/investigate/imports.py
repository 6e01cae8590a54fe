"""Which directories of a target import from which, from the index of the repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bottega.amounts import plural
from bottega.errors import BottegaError
from bottega.investigate.describing import get_lead
from bottega.investigate.units import find_parent
from bottega.pipeline import House
from bottega.source.git import open_git

# In a larger tree an index would take longer than what it adds.
_MOST_FILES = 20_000


class DirectoryImport(BaseModel):
    """Files of one directory import files of another, so many times. Paths are those of units."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    target: str
    count: int


def list_directory_imports(
    house: House, target: Path, directories: Collection[str], files: int
) -> list[dict[str, object]]:
    """Imports between the directories of a target, the most first.

    None outside of a repository: no index is made for a directory that is none.
    """
    is_repository = open_git(house.root) is not None
    if not house.is_indexed and (not is_repository or files > _MOST_FILES):
        return []
    lead = get_lead(house, target)
    known = frozenset(directories)
    counts: Counter[tuple[str, str]] = Counter()
    try:
        with house.knowledge.reading(progress=house.progress, remark=house.remark) as reader:
            numbers = [file.id for file in reader.base.get_files() if file.path.startswith(lead)]
            for edge in reader.base.get_dependency_subgraph(numbers, 1):
                if edge.source.startswith(lead) and edge.target.startswith(lead):
                    pair = tuple(_find_directory(path.removeprefix(lead), known) for path in (edge.source, edge.target))
                    counts[pair[0], pair[1]] += pair[0] != pair[1]
    except BottegaError as error:
        house.remark(f"imports between directories are unknown: {error}")
        return []
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"source": source, "target": target, "count": count} for (source, target), count in ordered if count]


def describe_import(edge: DirectoryImport) -> str:
    return f"{edge.source or './'} imports {edge.target or './'} ({plural(edge.count, 'file')})"


def _find_directory(path: str, known: Collection[str]) -> str:
    """The innermost directory under investigation that a file lies in."""
    parent = find_parent(path)
    while parent and parent not in known:
        parent = find_parent(parent)
    return parent
