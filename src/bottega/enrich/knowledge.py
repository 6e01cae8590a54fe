"""What `enrich` reads and stores: files without a description, their content, and the descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial

from bottega.enrich.state import DescribedFile, FileToDescribe
from bottega.enrich.tools import EnrichTools, FileContent
from bottega.index import File, Knowledge, KnowledgeBase, newest_descriptions
from bottega.journal import Enrichment, Journal
from bottega.models import Roster
from bottega.pipeline import House
from bottega.source import Span
from bottega.source.roles import Role

ROLE = "summarizer"
_MOST_SYMBOLS = 60
_LONGEST, _SHORTEST = 24_000, 400
# The instructions, the fences and the margin of the token budget.
_PROMPT_TOKENS = 700
# Of an estimate: the characters of a prompt without its file, and those of a file with its outline to those without.
_FIXED_CHARS, _WITH_OUTLINE = 2000, 1.2
_DESCRIBED = frozenset({Role.CODE})


@contextmanager
def open_tools(house: House) -> Iterator[EnrichTools]:
    """Open the tools over one snapshot of the index."""
    journal, router = house.journal, house.roster.router
    model = router.resolve(ROLE).id if router.list_choices() else ""
    parallel = router.resolve("coding").concurrency if router.list_choices() else 1
    cut = partial(_cut_to_window, roster=house.roster) if model else _cut

    def store(run_id: str, entry: DescribedFile, prompt_version: str) -> None:
        description = None if entry.description is None else entry.description.model_dump(mode="json")
        journal.enrichments.put(
            run_id, Enrichment(entry.path, entry.hash, model, prompt_version, description, entry.error)
        )

    with house.knowledge.reading(refresh=False) as reader:
        yield EnrichTools(
            find_files=lambda paths, version: find_undescribed(
                reader.base, paths, journal.enrichments.described(model, version)
            ),
            read=lambda path: read_content(reader.base, house.knowledge, path, cut=cut),
            store=store,
            parallel=parallel,
        )


def find_undescribed(
    base: KnowledgeBase, paths: Sequence[str], known: frozenset[tuple[str, str]]
) -> list[FileToDescribe]:
    """Code files below these paths whose current content is not among `known`, the most used first."""
    uses = base.get_file_uses()
    files = [
        file
        for file in base.get_files()
        if file.role in _DESCRIBED and (file.path, file.hash) not in known and _is_selected(file, paths)
    ]
    files.sort(key=lambda file: (-uses.get(file.id, 0.0), file.path))
    return [FileToDescribe(path=file.path, hash=file.hash, language=file.language) for file in files]


def read_content(
    base: KnowledgeBase, knowledge: Knowledge, path: str, *, cut: Callable[[str, str], str]
) -> FileContent:
    """The outline of a file and its text; `cut` shortens a long text beside its outline."""
    file = base.get_file_by_path(path)
    symbols = base.get_symbols_for_file(file.id) if file is not None else []
    outline = "\n".join(f"- {symbol.signature or symbol.qualified}" for symbol in symbols[:_MOST_SYMBOLS])
    return FileContent(outline or "(none)", cut(knowledge.read(Span(path, 1, 1_000_000)), outline))


def _cut(text: str, outline: str = "", longest: int = _LONGEST) -> str:
    """The beginning of a text, with a line that says how much is left out."""
    del outline
    return text if len(text) <= longest else f"{text[:longest]}\n… ({len(text) - longest} more characters)"


def _cut_to_window(text: str, outline: str, *, roster: Roster) -> str:
    """The beginning of a text that fits the model's context window beside its outline, the prompt and the reply."""
    config = roster.router.resolve(ROLE)
    room = config.context_window - config.max_tokens - _PROMPT_TOKENS - roster.ledger.estimate(config.id, outline)
    longest = min(len(text), _LONGEST)
    while longest and (needed := roster.ledger.estimate(config.id, text[:longest])) > room:
        longest = min(longest - 1, longest * max(room, 0) // needed)
    return _cut(text, longest=max(longest, _SHORTEST))


def estimate_prompt_tokens(base: KnowledgeBase, files: Sequence[FileToDescribe], roster: Roster) -> int:
    """About how many tokens the role's model would read to describe these files."""
    config = roster.router.resolve(ROLE)
    sizes = {file.path: file.size for file in base.get_files()}
    chars = (_FIXED_CHARS + _WITH_OUTLINE * min(sizes[file.path], _LONGEST) for file in files)
    rate, room = roster.ledger.chars_per_token(config.id), config.context_window - config.max_tokens
    return sum(min(int(count / rate), room) for count in chars)


def promote(knowledge: Knowledge, journal: Journal) -> int:
    """Copy the newest description of every file's current content into the knowledge base; return how many."""
    return knowledge.describe(newest_descriptions(journal.enrichments))


def _is_selected(file: File, paths: Sequence[str]) -> bool:
    return not paths or any(
        file.path == path.rstrip("/") or file.path.startswith(f"{path.rstrip('/')}/") or fnmatchcase(file.path, path)
        for path in paths
    )
