"""Store the summaries of an investigation in the knowledge base, where `search` and `ask` find them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bottega.errors import BottegaError
from bottega.index import KnowledgeReader, newest_descriptions
from bottega.investigate.entries import DirEntry, FileEntry
from bottega.journal import Enrichment, Journal
from bottega.models import load_prompt
from bottega.pipeline import House

_NOTHING: Mapping[str, Any] = {
    "purpose": "",
    "module": "",
    "domain": "",
    "complexity_notes": "",
    "concepts": [],
    "public_api_surface": [],
}


def describe(
    house: House,
    run_id: str,
    target: Path,
    files: Mapping[str, FileEntry],
    directories: Mapping[str, DirEntry],
) -> int:
    """Record what was said of files and directories that are indexed as they were read; how many search can use.

    Without an index nothing is created: a target need not be a repository.
    """
    if not house.is_indexed:
        return 0
    knowledge = house.knowledge
    version = load_prompt("bottega.investigate", "directory").version
    model = next((entry.model for entry in directories.values() if entry.model != "rules"), "")
    lead = get_lead(house, target)
    try:
        with knowledge.reading() as reader:
            _record_files(reader, house.journal, run_id, (model, version), lead, target.name, files)
            _record_directories(reader, house.journal, run_id, (model, version), lead, directories)
        return knowledge.describe(newest_descriptions(house.journal.enrichments))
    except BottegaError as error:
        house.remark(f"the summaries are not in the knowledge base: {error}")
        return 0


def get_lead(house: House, target: Path) -> str:
    """What paths of a target begin with in the index of its repository."""
    return f"{target.relative_to(house.root)}/" if target != house.root else ""


def _record_files(
    reader: KnowledgeReader,
    journal: Journal,
    run_id: str,
    source: tuple[str, str],
    lead: str,
    target: str,
    files: Mapping[str, FileEntry],
) -> None:
    known = journal.enrichments.described(*source)
    for path, entry in files.items():
        file = reader.base.get_file_by_path(lead + path)
        if file is None or not file.hash.startswith(entry.digest) or (file.path, file.hash) in known:
            continue
        said = {
            **_NOTHING,
            "purpose": entry.summary[:400],
            "module": (path.rpartition("/")[0] or target)[:80],
            "complexity_notes": entry.notable_reason[:400],
        }
        journal.enrichments.put(run_id, Enrichment(file.path, file.hash, *source, said, ""))


def _record_directories(
    reader: KnowledgeReader,
    journal: Journal,
    run_id: str,
    source: tuple[str, str],
    lead: str,
    directories: Mapping[str, DirEntry],
) -> None:
    known = journal.enrichments.described(*source)
    key = reader.snapshot.directory_keys()
    for path, directory in directories.items():
        folder = lead + path or "./"
        if directory.partial or (folder, key(folder)) in known:
            continue
        said = {**_NOTHING, "purpose": directory.summary[:400], "module": folder[:80]}
        journal.enrichments.put(run_id, Enrichment(folder, key(folder), *source, said, ""))
