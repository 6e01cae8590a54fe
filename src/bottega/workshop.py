"""The one place that chooses implementations: settings in, a workshop out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib import import_module, resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from bottega.errors import SettingsError
from bottega.journal import Dismissals, Investigations, Journal
from bottega.journal.home import find_home, seal_of
from bottega.models import Bandit, Candidate, Ledger, Model, ModelConfig, ModelRouter, RetryPolicy, Roster, open_model
from bottega.pipeline import Engine, Event, Folder, Kind, Library
from bottega.pipeline.run import no_events
from bottega.sandbox import Limits, Sandbox, open_sandbox
from bottega.settings import Loaded, ModelChoice, Provider, Settings, is_loopback
from bottega.source.tree import DiskFiles, RepositoryFiles, is_below
from bottega.write import WriteTools

KINDS = {
    "write": "bottega.write:KIND",
    "enrich": "bottega.enrich:KIND",
    "ask": "bottega.ask:KIND",
    "review": "bottega.review:KIND",
    "investigate": "bottega.investigate:KIND",
}
PIPELINES = ("bottega.write", "bottega.enrich", "bottega.ask", "bottega.review", "bottega.investigate")


class Workshop:
    """A repository with its settings, journal, models and pipelines; each is made when first used."""

    def __init__(
        self,
        root: Path,
        loaded: Loaded,
        *,
        environ: Mapping[str, str],
        on_event: Callable[[Event], None] = no_events,
        on_remark: Callable[[str], None] = lambda _: None,
        allow_unsafe_sandbox: bool = False,
        look_for_models: bool = True,
        retry: RetryPolicy | None = None,
        open_model: Callable[[ModelConfig, Mapping[str, str]], Model] = open_model,
        files: RepositoryFiles | None = None,
    ) -> None:
        self.root = root
        self.files = files or DiskFiles(root)
        self.loaded = loaded
        self.settings = loaded.settings
        self.environ = environ
        self._on_event = on_event
        self._on_remark = on_remark
        self._allow_unsafe = allow_unsafe_sandbox or loaded.settings.sandbox.allow_unsafe
        self._open = open_model
        self._look_for_models = look_for_models
        self._retry = retry or RetryPolicy(retries=loaded.settings.limits.retries)

    @cached_property
    def home(self) -> Path:
        """Where the records of this repository lie; they need not exist yet."""
        return find_home(self.root, self._on_remark)

    @cached_property
    def journal(self) -> Journal:
        history = self.settings.history
        return Journal(
            self.root,
            environ=self.environ,
            history_entries=history.max_entries,
            history_files=history.max_files,
            home=self.home,
        )

    @property
    def has_journal(self) -> bool:
        """Whether anything was recorded here; looking makes nothing."""
        return (self.home / "raw.sqlite").exists()

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        kinds = {name: _load(place) for name, place in KINDS.items()}
        kinds |= {entry.name: entry.load() for entry in entry_points(group="bottega.kinds")}
        return kinds

    @cached_property
    def pipelines(self) -> Library:
        shipped = [Folder(Path(str(resources.files(package) / "pipelines")), package) for package in PIPELINES]
        own = [Folder(self.home / "pipelines", ".bottega/pipelines")]
        named = [
            Folder(self.root / path, path, self.files if is_below(path) else None)
            for path in self.settings.pipelines.paths
        ]
        for folder in named:
            if not folder.path.is_dir():
                raise SettingsError(f"pipelines.paths: {folder.shown} is not a directory")
        return Library([*shipped, *own, *named], self.kinds)

    @cached_property
    def roster(self) -> Roster:
        settings = self._with_model()
        facts = self.journal.facts
        return Roster(
            ModelRouter(settings, window_of=lambda model: facts.get(model, "context_length_max")),
            open_model=self._open_model,
            facts=facts,
            ledger=Ledger(facts, safety=settings.budget.safety),
            prices=settings.prices,
            retry=self._retry,
            on_wait=self._on_remark,
        )

    @cached_property
    def engine(self) -> Engine:
        return Engine(
            self.journal,
            self.roster,
            self.kinds,
            self._tools,
            limits=self.settings.limits,
            on_event=self._on_event,
        )

    def watch(self, on_event: Callable[[Event], None]) -> None:
        """Have another see what happens, beside who sees it already; before the engine is first used."""
        first = self._on_event

        def both(event: Event) -> None:
            first(event)
            on_event(event)

        self._on_event = both

    def require_model(self) -> None:
        """Say that there is no model before a run is begun, rather than in the middle of one."""
        if not self.roster.router.chosen():
            raise SettingsError(
                "no model is configured, and none was found on this machine",
                hint="`bottega models pull` brings an embedded one (1.1 GB); or start Ollama; or pass --model.",
            )
        for config in {self.roster.router.configure(choice) for choice in self.roster.router.chosen().values()}:
            self.roster.model(config)
            if config.base_url and not is_loopback(config.base_url):
                self._on_remark(f"{config.id} answers at {config.base_url}: requests leave this machine")

    def close(self) -> None:
        for name in ("roster", "journal"):
            if name in self.__dict__:
                self.__dict__[name].close()

    def _tools(self, kind: str) -> Any:
        if kind == "enrich":
            from bottega.enrich.knowledge import enrich_tools  # the index is loaded only where it is needed

            return enrich_tools(self.root, self.journal, self.roster, parallel=self._parallel())
        if kind == "ask":
            return self.ask_tools
        if kind == "review":
            return self._review_tools()
        if kind == "investigate":
            return self._investigate_tools()
        if kind != "write":
            return None
        box = self.settings.sandbox
        return WriteTools(
            history=self.journal.history,
            open_sandbox=self._sandbox,
            limits=Limits(seconds=box.seconds, memory_mb=box.memory_mb),
            parallel=self._parallel(),
        )

    @cached_property
    def ask_tools(self) -> Any:
        """One for the life of the workshop, so that a conversation opens its index once."""
        from bottega.ask.knowledge import ask_tools  # the index is loaded only where it is needed

        return ask_tools(self.root, self.journal, self.settings.ask.repositories)

    @cached_property
    def dismissals(self) -> Dismissals:
        return Dismissals(self.home / "reviews", self.journal.mask, lambda: seal_of(self.home))

    @cached_property
    def investigations(self) -> Investigations:
        return Investigations(self.home / "investigations", self.journal.mask, lambda: seal_of(self.home))

    def _review_tools(self) -> Any:
        from bottega.review.surroundings import Surroundings  # the index is loaded only where it is needed
        from bottega.review.tools import ReviewTools

        return ReviewTools(
            root=self.root,
            surroundings=Surroundings(self.root),
            open_sandbox=self._sandbox,
            bandit=Bandit(self.journal.facts),
            pool=self._pool,
            reviews=self.journal.reviews,
            dismissals=self.dismissals,
            pipeline_folders=self.settings.pipelines.paths,
            mask=self.journal.mask,
        )

    def _investigate_tools(self) -> Any:
        from bottega.investigate.describing import describe  # the index is loaded only where it is needed
        from bottega.investigate.tools import InvestigateTools

        return InvestigateTools(
            root=self.root,
            investigations=self.investigations,
            mask=self.journal.mask,
            describe=partial(describe, self.root, self.journal),
        )

    def _pool(self) -> list[Candidate]:
        """Models that may be on a panel."""
        router = self.roster.router
        named = self.settings.review.models or [choice.model for choice in router.chosen().values()]
        return [Candidate(model, router.named(model).context_window) for model in dict.fromkeys(named)]

    def _parallel(self) -> int:
        """Calls that may be under way at once; a replay needs no model and makes none."""
        router = self.roster.router
        return router.resolve("coding").concurrency if router.chosen() else 1

    def _sandbox(self) -> Sandbox:
        return open_sandbox(allow_unsafe=self._allow_unsafe, outside=self.root)

    def _open_model(self, config: ModelConfig) -> Model:
        return self._open(config, self.environ)

    def _with_model(self) -> Settings:
        """The settings, with a model found here when they name none; the choice is shown and recorded."""
        models = self.settings.models
        if any(getattr(models, role) for role in type(models).model_fields if role != "overrides"):
            return self.settings
        if not self._look_for_models:
            return self.settings
        found = self._detected()
        if found is None:
            return self.settings
        self._on_remark(f"using {found['model']} ({found['where']})")
        return with_found(self.settings, found)

    def _detected(self) -> dict[str, str] | None:
        from bottega.models.detect import detect  # httpx is loaded only where nothing is configured

        for found in detect(self.settings, self.environ):
            choice = {
                "model": found.model,
                "where": found.where,
                "provider": found.provider,
                "kind": found.kind,
                "base_url": found.base_url,
            }
            self.journal.facts.put("workshop", "model", choice)
            return choice
        return None


def with_found(settings: Settings, found: Mapping[str, str]) -> Settings:
    models = settings.models.model_copy(update={"default": ModelChoice(model=found["model"])})
    providers = dict(settings.providers)
    if found["provider"]:
        place = {"kind": found["kind"], "base_url": found["base_url"]}
        providers[found["provider"]] = Provider.model_validate(place)
    return settings.model_copy(update={"models": models, "providers": providers})


def _load(place: str) -> Kind:
    module, _, attribute = place.partition(":")
    kind = getattr(import_module(module), attribute)
    assert isinstance(kind, Kind)
    return kind
