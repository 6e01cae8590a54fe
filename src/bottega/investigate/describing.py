"""Between an investigation and the knowledge base: summaries become what `search` and `ask` know of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bottega.errors import BottegaError
from bottega.index import open_keeper
from bottega.index.knowledge import KnowledgeBase
from bottega.index.metadata import below, descriptions
from bottega.index.snapshot import take_snapshot
from bottega.investigate.entries import DirEntry, FileEntry
from bottega.journal import Enrichment, Journal
from bottega.journal.home import find_home
from bottega.models import load_prompt

_NOTHING: Mapping[str, Any] = {
    "purpose": "",
    "module": "",
    "domain": "",
    "complexity_notes": "",
    "concepts": [],
    "public_api_surface": [],
}


def describe(
    root: Path,
    journal: Journal,
    run_id: str,
    target: Path,
    files: Mapping[str, FileEntry],
    directories: Mapping[str, DirEntry],
) -> int:
    """Write down what was said of files and directories that are indexed as they were read; how many there are.

    Without an index nothing is made: a target need not be a repository.
    """
    if not (find_home(root) / "curated.sqlite").exists():
        return 0
    version = load_prompt("bottega.investigate", "directory").version
    try:
        keeper = open_keeper(root)
        keeper.refresh()
        snapshot = take_snapshot(keeper.root, keeper.place)
        if snapshot is None:
            return 0
        base = KnowledgeBase(snapshot.connection)
        lead = f"{target.relative_to(root)}/" if target != root else ""
        model = next((entry.model for entry in directories.values() if entry.model != "rules"), "")
        known = journal.enrichments.described(model, version)
        for path, entry in files.items():
            file = base.get_file_by_path(lead + path)
            if file is None or not file.hash.startswith(entry.digest) or (file.path, file.hash) in known:
                continue
            module = path.rpartition("/")[0] or target.name
            said = {
                **_NOTHING,
                "purpose": entry.summary[:400],
                "module": module[:80],
                "complexity_notes": entry.notable_reason[:400],
            }
            journal.enrichments.put(run_id, Enrichment(file.path, file.hash, model, version, said, ""))
        key = below(snapshot.connection)
        for path, directory in directories.items():
            place = lead + path or "./"
            if directory.partial or (place, key(place)) in known:
                continue
            about = {**_NOTHING, "purpose": directory.summary[:400], "module": place[:80]}
            journal.enrichments.put(run_id, Enrichment(place, key(place), model, version, about, ""))
        return keeper.describe(descriptions(journal.enrichments))
    except BottegaError:
        return 0
