"""What every step of a review works on: its settings, the changed files, and the files from before the change."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.review.before import files_before
from bottega.review.reading import parse_cached
from bottega.review.state import CheckRecord, CheckStatus, ReviewSettings, ReviewState
from bottega.review.tools import ReviewRun
from bottega.review.tree import Tree, open_tree
from bottega.source import FileChange
from bottega.source.tree import RepositoryFiles


def settings_of(run: ReviewRun) -> ReviewSettings:
    return run.settings_as(ReviewSettings)


def files_of(state: ReviewState) -> list[FileChange]:
    """The files under review."""
    wanted = set(state.paths)
    return [file for file in parse_cached(state.diff).files if file.path in wanted]


def rules_of(state: ReviewState, run: ReviewRun) -> RepositoryFiles:
    """The repository's files as they were before the change, for whatever steers a review."""
    return files_before(run.tools.root, state.diff, state.base, state.side, state.touched)


def tree_of(state: ReviewState, run: ReviewRun, files: Sequence[FileChange]) -> Tree:
    return open_tree(run.tools.root, state.side, files, mask=run.tools.mask, rules=rules_of(state, run))


def record_check(state: ReviewState, name: str, status: CheckStatus, detail: str = "") -> None:
    state.checks = (*state.checks, CheckRecord(name=name, status=status, detail=detail))
