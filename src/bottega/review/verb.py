"""The verb: a change in, a report with one verdict out."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Self

from pydantic import Field, model_validator

from bottega.errors import InputError, NothingToDo
from bottega.models import Bandit, Candidate
from bottega.pipeline import House, Kind, choose_pipeline
from bottega.review.actions import ACTIONS
from bottega.review.before import open_files_before, open_files_before_change
from bottega.review.change import Change, ChangeSelection, mask_change, read_raw_change
from bottega.review.findings import Severity
from bottega.review.result import ReviewResult, read_result
from bottega.review.state import ReviewSettings, ReviewState
from bottega.review.surroundings import Surroundings
from bottega.review.tools import ReviewTools
from bottega.settings import UserFiles
from bottega.source import parse_diff
from bottega.source.gitignore import is_valid_pattern, parse_pattern_lines
from bottega.verbs import Verb, VerbRequest

WITHOUT_MODEL, QUICK = "review-static", "review-quick"
LARGEST_SEED = 2**32


class ReviewRequest(VerbRequest):
    """The change to review: a diff, a commit, a range or what is staged; the working tree when none is given."""

    verb: ClassVar[str] = "review"
    reads_settings: ClassVar[bool] = False  # a change is reviewed under the settings from before it

    diff: str | None = Field(None, description="a unified diff from elsewhere")
    commit: str = Field("", description="one commit, against its first parent")
    since: str = Field("", description="everything since this commit, the working tree included")
    start: str = Field("", description="what `end` did since it left this commit")
    end: str = Field("", description="together with `start`; HEAD where it is empty")
    staged: bool = Field(False, description="what is staged, instead of the working tree")
    message: str = Field("", description="what the author says about the change")
    paths: tuple[str, ...] = Field((), description="only these paths, as in .gitignore")
    pipeline: str = Field("", description="another pipeline of the kind review, or its file")
    quick: bool = Field(False, description="no discussion; the same table decides")
    no_model: bool = Field(False, description="only parsers, tools, rules, graph and history")
    seed: int | None = Field(None, ge=0, le=LARGEST_SEED, description="draw the panel as an earlier review did")
    budget: float | None = Field(None, gt=0, description="dollars that the review may cost")
    fail_on: Severity | None = Field(None, description="the gate fails for findings at or above this severity")

    @model_validator(mode="after")
    def _names_one_change(self) -> Self:
        given = {
            "--staged": self.staged,
            "--commit": self.commit,
            "--diff": self.diff is not None,
            "a commit to begin from": self.since,
            "--from/--to": self.start or self.end,
        }
        named = [name for name, value in given.items() if value]
        if len(named) > 1:
            raise InputError(f"{' and '.join(named)} cannot be reviewed at once", hint="Give one of them.")
        if sum(map(bool, (self.pipeline, self.quick, self.no_model))) > 1:
            raise InputError("--pipeline, --quick and --no-model exclude each other", hint="Give one of them.")
        return self


def review(request: ReviewRequest, house: House) -> ReviewResult:
    """Review a change under the settings and rules from before it. Bad input is refused before a run is begun.

    Raise `NothingToDo` where nothing is changed.
    """
    wanted = ChangeSelection(
        diff=request.diff,
        commit=request.commit,
        since=request.since,
        start=request.start,
        end=request.end,
        is_staged=request.staged,
        message=request.message,
    )
    raw = read_raw_change(house.root, wanted)
    house = house.with_files(open_files_before_change(house.root, raw))
    pipeline = choose_pipeline(
        house,
        "review",
        request.pipeline,
        usual=QUICK if request.quick else house.settings.review.pipeline,
        without_model=WITHOUT_MODEL,
        no_model=request.no_model,
        instead="this is a static review",
    )
    change = mask_change(raw, house.journal.mask)
    _refuse(change, request.paths)
    house.journal.reviews.check()
    state = ReviewState(
        diff=change.text,
        intent=change.intent,
        origin=change.origin,
        side=change.side,
        base=change.base,
        touched=change.touched,
        scope=request.paths,
        seed=secrets.randbelow(LARGEST_SEED) if request.seed is None else request.seed,
        fail_on=request.fail_on or "",
        asked_without_model=request.no_model,
        secrets=change.secrets,
        secret_note=change.secret_note,
    )
    return read_result(house.run_pipeline(pipeline, state, limits={"cost": request.budget}))


def _refuse(change: Change, scope: tuple[str, ...]) -> None:
    paths = [file.path for file in parse_diff(change.text).files]
    if not paths and change.text.strip():
        raise InputError(f"{change.origin} changes no file", hint="Make a unified diff: git diff, diff -u.")
    if not paths:
        raise NothingToDo(
            f"nothing to review: {change.origin}, nothing is changed",
            hint="`bottega review HEAD~1` reviews the last commit; `bottega review run --help` lists more.",
        )
    twice = next((path for path, count in Counter(paths).items() if count > 1), None)
    if twice is not None:
        raise InputError(
            f"the diff changes {twice} more than once: a series of patches is not one change",
            hint="Apply it and review the commits, or make one diff of it.",
        )
    for pattern in scope:
        if not is_valid_pattern(pattern):
            raise InputError(f"--path: {pattern!r} is not a pattern as in .gitignore")
    patterns = parse_pattern_lines(scope)
    if scope and not any(patterns.match_with_parents(path) for path in paths):
        raise InputError(
            f"nothing that changed matches --path {' '.join(scope)}", hint=f"Changed: {', '.join(paths[:5])}."
        )


def restore_house(house: House, state: ReviewState) -> House:
    """A resumed review goes on under the settings from before the change, too."""
    return house.with_files(open_files_before(house.root, state.diff, state.base, state.side, state.touched))


@contextmanager
def open_tools(house: House) -> Iterator[ReviewTools]:
    """One snapshot of the index for the whole run, opened at first use."""

    def list_candidates() -> list[Candidate]:
        router = house.roster.router
        named = house.settings.review.models or [choice.model for choice in router.list_choices().values()]
        return [Candidate(model, router.named(model).context_window) for model in dict.fromkeys(named)]

    with Surroundings(house.knowledge) as surroundings:
        yield ReviewTools(
            root=house.root,
            surroundings=surroundings,
            open_sandbox=house.open_sandbox,
            bandit=Bandit(house.journal.facts),
            pool=list_candidates,
            reviews=house.journal.reviews,
            dismissals=house.journal.dismissals,
            pipeline_folders=house.settings.pipelines.paths,
            mask=house.journal.mask,
            user_files=UserFiles.of(house.environ),
        )


KIND = Kind(
    "review",
    ReviewState,
    ACTIONS,
    ReviewSettings,
    package="bottega.review",
    open_tools=open_tools,
    read_result=read_result,
    restore_house=restore_house,
    subject="origin",
)
REVIEW = Verb(ReviewRequest, ReviewResult, review)
