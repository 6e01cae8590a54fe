"""What every step of a review works on: its settings, the changed files, and the files from before the change."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.review.before import open_files_before
from bottega.review.reading import parse_cached
from bottega.review.state import CheckRecord, CheckStatus, ReviewSettings, ReviewState
from bottega.review.tools import ReviewRun
from bottega.review.tree import Tree, open_tree
from bottega.source import FileChange
from bottega.source.tree import RepositoryFiles


def get_settings(run: ReviewRun) -> ReviewSettings:
    return run.settings_as(ReviewSettings)


def list_files(state: ReviewState) -> list[FileChange]:
    """The files under review."""
    wanted = set(state.paths)
    return [file for file in parse_cached(state.diff).files if file.path in wanted]


def open_rules(state: ReviewState, run: ReviewRun) -> RepositoryFiles:
    """The repository's files as they were before the change, for the rules and settings of the review."""
    return open_files_before(run.tools.root, state.diff, state.base, state.side, state.touched)


def open_state_tree(state: ReviewState, run: ReviewRun, files: Sequence[FileChange]) -> Tree:
    return open_tree(run.tools.root, state.side, files, mask=run.tools.mask, rules=open_rules(state, run))


def record_check(state: ReviewState, name: str, status: CheckStatus, detail: str = "") -> None:
    state.checks = (*state.checks, CheckRecord(name=name, status=status, detail=detail))
