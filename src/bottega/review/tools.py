"""What the actions of `review` find in `run.tools`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bottega.journal import DismissalStore, ReviewStore
from bottega.models import Bandit, Candidate
from bottega.pipeline import Run
from bottega.review.masking import Mask
from bottega.review.surroundings import Surroundings
from bottega.sandbox import Sandbox
from bottega.settings import UserFiles


@dataclass(frozen=True, slots=True)
class ReviewTools:
    """`pool` are the models that may be on the panel; `open_sandbox` raises where no sandbox is available.

    `mask` takes secrets out of a text, those of this machine included. `user_files` has personas of the user;
    `pipeline_folders` hold the repository's own pipelines.
    """

    root: Path
    surroundings: Surroundings
    open_sandbox: Callable[[], Sandbox]
    bandit: Bandit
    pool: Callable[[], list[Candidate]]
    reviews: ReviewStore
    dismissals: DismissalStore
    mask: Mask
    user_files: UserFiles
    pipeline_folders: tuple[str, ...] = ()


ReviewRun = Run[ReviewTools]
