"""One call of a verb: the workshop as the verb sees it, with the run's own id, events and models."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bottega.workshop.opening import replace_limits

if TYPE_CHECKING:
    from bottega.index import Knowledge
    from bottega.journal import FactStore, Journal
    from bottega.models import Roster
    from bottega.pipeline import Engine, EventLog, Finished, Kind, Library, Pipeline, State
    from bottega.sandbox import Sandbox
    from bottega.settings import LoadedSettings, Settings
    from bottega.source.tree import RepositoryFiles
    from bottega.workshop.workshop import Workshop


class Invocation:
    """The `House` of one call; see `bottega.pipeline.House` for what verbs and tools may expect of it."""

    def __init__(self, workshop: Workshop, events: EventLog, *, looks_for_models: bool = True) -> None:
        self._workshop = workshop
        self._events = events
        self._looks_for_models = looks_for_models
        self._variants: list[Workshop] = []

    @property
    def root(self) -> Path:
        return self._workshop.root

    @property
    def environ(self) -> Mapping[str, str]:
        return self._workshop.environ

    @property
    def settings(self) -> Settings:
        return self._workshop.settings

    @property
    def loaded(self) -> LoadedSettings:
        """The settings with where each value came from."""
        return self._workshop.loaded

    def read_settings(self) -> LoadedSettings:
        """The settings as they are now, without a remark about those that are not in force."""
        return self._workshop.opening.load_settings(self._workshop.root)

    @property
    def home(self) -> Path:
        """Where the records lie."""
        return self._workshop.home

    @property
    def journal(self) -> Journal:
        return self._workshop.journal

    @property
    def facts(self) -> FactStore:
        """What is known of models; looking creates no journal."""
        return self._workshop.facts

    @property
    def has_journal(self) -> bool:
        return self._workshop.has_journal

    @property
    def knowledge(self) -> Knowledge:
        return self._workshop.knowledge

    @property
    def is_indexed(self) -> bool:
        return self._workshop.is_indexed

    @property
    def roster(self) -> Roster:
        return self._workshop.roster if self._looks_for_models else self._workshop.configured_roster

    @property
    def pipelines(self) -> Library:
        return self._workshop.pipelines

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return self._workshop.kinds

    def open_knowledge(self, root: Path) -> Knowledge:
        return self._workshop.open_knowledge(root)

    def open_sandbox(self) -> Sandbox:
        return self._workshop.open_sandbox()

    def with_files(self, files: RepositoryFiles) -> Invocation:
        variant = self._workshop.with_files(files)
        self._variants.append(variant)
        return Invocation(variant, self._events, looks_for_models=self._looks_for_models)

    def close(self) -> None:
        """Close the models that this call opened under other settings; those of the workshop stay open."""
        for variant in self._variants:
            variant.close_models()

    def remark(self, text: str) -> None:
        self._events.emit("remark", text=text)

    def progress(self, stage: str, done: int, total: int) -> None:
        self._events.emit("progress", name=stage, done=done, total=total)

    def require_model(self) -> None:
        from bottega.workshop.model_choice import require_model

        require_model(self.roster, self.remark)

    def run_pipeline(
        self,
        pipeline: Pipeline,
        state: State,
        *,
        settings: Mapping[str, Any] | None = None,
        limits: Mapping[str, float | None] | None = None,
    ) -> Finished:
        from bottega.workshop.embedded_remarks import tell_embedded_speed

        engine = self.engine(replace_limits(self.settings, limits or {}))
        finished = engine.start(pipeline, state, settings=settings, events=self._events)
        tell_embedded_speed(finished.run_id, self.journal, self.roster, self.settings, self.remark)
        return finished

    def engine(self, settings: Settings | None = None) -> Engine:
        from bottega.pipeline import Engine

        return Engine(
            self.journal,
            self.roster,
            self.kinds,
            self._open_tools,
            limits=(settings or self.settings).limits,
            check=self.check_pipeline,
        )

    def check_pipeline(self, pipeline: Pipeline) -> None:
        """Raise where a pipeline cannot run in this repository, for instance because it needs another branch."""
        self.kinds[pipeline.kind].check_house(pipeline, self)

    def _open_tools(self, kind: Kind) -> AbstractContextManager[Any]:
        return kind.open_tools(self)
