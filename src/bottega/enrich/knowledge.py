"""Between the knowledge base and `enrich`: which files to describe, what to show of them, where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from bottega.enrich.state import Entry, Wanted
from bottega.enrich.tools import EnrichTools, Material
from bottega.errors import InputError
from bottega.index import Keeper, open_keeper
from bottega.index.classify import Role
from bottega.index.knowledge import File, KnowledgeBase
from bottega.index.metadata import descriptions
from bottega.index.snapshot import take_snapshot
from bottega.journal import Enrichment, Journal
from bottega.models import Roster
from bottega.source import Span

ROLE = "summarizer"
_MOST_SYMBOLS = 60
_LONGEST = 24_000
_DESCRIBED = frozenset({Role.CODE})


def enrich_tools(root: Path, journal: Journal, roster: Roster, *, parallel: int) -> EnrichTools:
    keeper = open_keeper(root)
    model = roster.router.resolve(ROLE).id

    def keep(run_id: str, entry: Entry, prompt_version: str) -> None:
        described = None if entry.description is None else entry.description.model_dump(mode="json")
        journal.enrichments.put(
            run_id, Enrichment(entry.path, entry.hash, model, prompt_version, described, entry.error)
        )

    return EnrichTools(
        wanted=lambda paths, version: wanted(keeper, paths, journal.enrichments.described(model, version)),
        material=lambda path: material(keeper, path),
        keep=keep,
        parallel=parallel,
    )


def wanted(keeper: Keeper, paths: Sequence[str], known: frozenset[tuple[str, str]]) -> list[Wanted]:
    """Code files below these paths whose present content is not known, the most used first."""
    base = _base(keeper)
    uses = base.get_file_uses()
    files = [
        file
        for file in base.get_files()
        if file.role in _DESCRIBED and (file.path, file.hash) not in known and _is_asked_for(file, paths)
    ]
    files.sort(key=lambda file: (-uses.get(file.id, 0.0), file.path))
    return [Wanted(path=file.path, hash=file.hash, language=file.language) for file in files]


def material(keeper: Keeper, path: str) -> Material:
    base = _base(keeper)
    file = base.get_file_by_path(path)
    symbols = base.get_symbols_for_file(file.id) if file is not None else []
    outline = "\n".join(f"- {symbol.signature or symbol.qualified}" for symbol in symbols[:_MOST_SYMBOLS])
    text = keeper.read(Span(path, 1, 1_000_000))
    if len(text) > _LONGEST:  # the start of a file and its outline say most about it
        text = f"{text[:_LONGEST]}\n… ({len(text) - _LONGEST} more characters)"
    return Material(outline or "(none)", text)


def promote(keeper: Keeper, journal: Journal) -> int:
    """Copy the newest description of every present content into the knowledge base; return how many there are."""
    return keeper.describe(descriptions(journal.enrichments))


def _base(keeper: Keeper) -> KnowledgeBase:
    snapshot = take_snapshot(keeper.root, keeper.place)
    if snapshot is None:
        raise InputError("nothing is indexed here", hint="`bottega index` reads the repository.")
    return KnowledgeBase(snapshot.connection)


def _is_asked_for(file: File, paths: Sequence[str]) -> bool:
    return not paths or any(
        file.path == path.rstrip("/") or file.path.startswith(f"{path.rstrip('/')}/") or fnmatchcase(file.path, path)
        for path in paths
    )
