"""Commits as tasks whose files are known: they show whether a model ranks files better than the search does."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.index import KnowledgeReader, guard_arrays
from bottega.retrieve.context.candidates import add_votes, drop_history
from bottega.retrieve.context.request import ContextTask
from bottega.retrieve.search import SearchQuery
from bottega.retrieve.search.rank import select_files
from bottega.retrieve.shared import get_searcher

# A commit that changes more files, or says less, does not say which file it is about.
_MOST_FILES, _LEAST_WORDS = 3, 5


@dataclass(frozen=True, slots=True)
class Trial:
    """A commit: what its message says, and the code files that it changed and that are still there."""

    commit: str
    task: str
    paths: tuple[str, ...]


def list_trials(reader: KnowledgeReader, count: int) -> list[Trial]:
    """The newest commits that change a few files of code and say what they do."""
    code = {file.path for file in reader.base.get_files() if file.role == "code"}
    found: list[Trial] = []
    for commit, changed in reader.base.get_small_commits(_MOST_FILES):
        paths = tuple(path for path in changed if path in code)
        if paths and len(commit.message.split()) >= _LEAST_WORDS:
            found.append(Trial(commit.hash, commit.message, paths))
        if len(found) == count:
            break
    return found


def find_first_file(task: ContextTask, reader: KnowledgeReader) -> str:
    """The path of the best file for a task, votes included; "" where nothing is found."""
    with guard_arrays(reader.snapshot):
        searcher = get_searcher(reader)
        scored = searcher.score_files(SearchQuery(task.text).parse())
        if not task.by_history:
            scored = drop_history(scored)
        if task.votes:
            scored = add_votes(scored, task.votes, searcher.corpus)
        return next((searcher.corpus.paths[file] for file in select_files(scored, searcher.corpus, 1)), "")
