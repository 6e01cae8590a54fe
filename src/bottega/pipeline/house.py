"""The interface of the workshop that verbs use, and the choice of a verb's pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.index import Knowledge
    from bottega.journal import Journal
    from bottega.models import Roster
    from bottega.pipeline.kinds import Finished, State
    from bottega.pipeline.load import Library
    from bottega.pipeline.spec import Pipeline
    from bottega.sandbox import Sandbox
    from bottega.settings import Settings
    from bottega.source.tree import RepositoryFiles


class House(Protocol):
    """The workshop as one call of a verb sees it: its stores and settings, and where remarks and progress go."""

    @property
    def root(self) -> Path:
        """The root of the repository, or of the directory used as one."""

    @property
    def environ(self) -> Mapping[str, str]: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def has_journal(self) -> bool:
        """Whether there may be records; the check creates no file."""

    @property
    def knowledge(self) -> Knowledge: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def pipelines(self) -> Library: ...

    @property
    def is_indexed(self) -> bool:
        """Whether this repository has an index; the check creates no file."""

    def open_knowledge(self, root: Path) -> Knowledge:
        """The index of another repository, shared with every other call."""

    def open_sandbox(self) -> Sandbox:
        """Raise `SandboxError` where no safe sandbox is available."""

    def with_files(self, files: RepositoryFiles) -> House:
        """The same call with settings read from these files of the repository."""

    def remark(self, text: str) -> None:
        """Show a message to the user."""

    def progress(self, stage: str, done: int, total: int) -> None: ...

    def require_model(self) -> None:
        """Raise `SettingsError` where no model is configured or found; called before a run starts."""

    def run_pipeline(
        self,
        pipeline: Pipeline,
        state: State,
        *,
        settings: Mapping[str, Any] | None = None,
        limits: Mapping[str, float | None] | None = None,
    ) -> Finished:
        """Execute a pipeline as the run of this call; `limits` override those of the settings."""


def choose_pipeline(
    house: House,
    kind: str,
    name: str,
    *,
    usual: str,
    without_model: str = "",
    no_model: bool = False,
    instead: str = "",
) -> Pipeline:
    """The pipeline called `name`, otherwise `usual`, or `without_model` where no model is configured.

    A verb without a `without_model` pipeline raises `SettingsError` there; `instead` tells the user what is done.
    """
    if no_model and name:
        raise InputError("--no-model and --pipeline exclude each other", hint="Give one of them.")
    has_model = not no_model and bool(house.roster.router.list_choices())
    pipeline = house.pipelines.find(name or (usual if has_model or not without_model else without_model))
    if pipeline.kind != kind:
        raise InputError(
            f"the pipeline {pipeline.name} is of the kind {pipeline.kind}, not {kind}",
            hint="`bottega pipelines list` lists the pipelines.",
        )
    if has_model or not without_model:
        house.require_model()
    elif not no_model and instead:
        house.remark(f"no model is here, so {instead}; `bottega models pull` brings one")
    return pipeline
