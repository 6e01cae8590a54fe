"""The schema of settings: validation, documentation and the template come from it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bottega.settings.model_settings import ROLES, ModelChoice, Models, Provider, Section, Texts

DEFAULT_MAX_TOKENS = 2048
DEFAULT_CONTEXT_WINDOW = 8192


class Budget(Section):
    """The token budget of a call."""

    context_window: int = Field(DEFAULT_CONTEXT_WINDOW, gt=0, description="window of a model that does not say its own")
    reserved_tokens: int = Field(
        3072, ge=0, description="system prompt, request and reply; the rest of the window is for context"
    )
    context_share: float = Field(0.25, gt=0, le=1, description="share of the window for code in a prompt")
    context_tokens: int = Field(0, ge=0, description="the most tokens of code in a prompt; 0 leaves it to the share")
    safety: float = Field(1.1, ge=1, le=3, description="factor on estimated token counts")

    @model_validator(mode="after")
    def _reserve_fits_the_window(self) -> Budget:
        if self.reserved_tokens >= self.context_window:
            key = "reserved_tokens" if "reserved_tokens" in self.model_fields_set else "context_window"
            raise PydanticCustomError(
                "reserve_over_window",
                "reserved_tokens ({reserved}) must be under context_window ({window})",
                {"reserved": self.reserved_tokens, "window": self.context_window, "under": (key,)},
            )
        return self


class Limits(Section):
    """Ceilings of one run; 0 means none."""

    tokens: int = Field(0, ge=0, description="prompt and reply tokens together")
    cost: float = Field(0.0, ge=0, description="US dollars; a call of unknown price is refused under a ceiling")
    minutes: float = Field(0.0, ge=0, description="wall-clock minutes")
    retries: int = Field(4, ge=0, le=20, description="tries after a first failure that may pass (429, 5xx, timeout)")


class Price(Section):
    """Dollars per million tokens."""

    input: float = Field(ge=0, description="prompt tokens")
    output: float = Field(ge=0, description="reply tokens")


class Index(Section):
    """The knowledge base."""

    vectors: Literal["background", "manual"] = Field(
        "background",
        json_schema_extra={"renamed": {"asked": "manual"}},
        description="when chunks are embedded: in the background after a change, or only by `index --vectors`",
    )


class Write(Section):
    """The `write` verb."""

    pipeline: str = Field("write", description="pipeline run without --pipeline")
    language: str = Field("python", description="language when the request and flags name none")
    confidence_threshold: int = Field(8, ge=1, le=10, description="a judge below it calls the reviewer")
    conflict_threshold: int = Field(6, ge=1, le=10, description="a judge above it calls the reviewer")
    context_records: int = Field(5, ge=1, le=100, description="earlier turns considered by ///ctx")


class Ask(Section):
    """The `ask` verb."""

    pipeline: str = Field("ask", description="pipeline run without --pipeline")
    repositories: dict[str, str] = Field(
        default_factory=dict,
        description="other repositories by the name that pipelines use, each with its directory",
    )


class Review(Section):
    """The `review` verb."""

    pipeline: str = Field("review", description="pipeline run without --pipeline")
    models: Texts = Field((), description="models that may be on the panel; without any, those configured for roles")
    dismissal_days: int = Field(180, ge=1, le=3650, description="how long a dismissal holds")


class Investigate(Section):
    """The `investigate` verb."""

    pipeline: str = Field("investigate", description="pipeline run without --pipeline")
    max_directories: int = Field(0, ge=0, le=20_000, description="directories of one run; 0 takes the pipeline's (400)")
    max_turns: int = Field(0, ge=0, le=100_000, description="turns of one run; 0 is ten for each directory")


class History(Section):
    """The JSONL record of `write`."""

    max_entries: int = Field(1000, ge=1, description="records in a file before the next one is started")
    max_files: int = Field(0, ge=0, description="older files are removed beyond this many; 0 keeps all")


class Journal(Section):
    """Retention of runs in raw.sqlite, for `bottega runs gc`."""

    keep_days: int = Field(90, ge=0, le=36500, description="runs older than this may be collected; 0 keeps all")
    keep_runs: int = Field(2000, ge=0, le=10**9, description="newest runs that are always kept")


class Pipelines(Section):
    """Where pipelines of your own are found, beside `.bottega/pipelines/` and `~/.config/bottega/pipelines/`."""

    paths: Texts = Field((), description="directories of YAML files, relative to the repository")


class Sandbox(Section):
    """Where generated code runs."""

    seconds: float = Field(10.0, gt=0, le=600, description="wall clock of one command")
    memory_mb: int = Field(1024, ge=64, description="memory of one command")
    allow_unsafe: bool = Field(False, description="run without bubblewrap, with resource limits only")


class Trust(Section):
    """What a repository's own settings may point at."""

    urls: Texts = Field((), description="model servers outside this machine that repository files may name")


class Settings(Section):
    """All settings with their defaults."""

    models: Models = Models()
    providers: dict[str, Provider] = Field(default_factory=dict, description="servers by name")
    budget: Budget = Budget()
    limits: Limits = Limits()
    index: Index = Index()
    write: Write = Write()
    ask: Ask = Ask()
    review: Review = Review()
    investigate: Investigate = Investigate()
    history: History = History()
    journal: Journal = Journal()
    pipelines: Pipelines = Pipelines()
    sandbox: Sandbox = Sandbox()
    trust: Trust = Trust()
    prices: dict[str, Price] = Field(default_factory=dict, description="dollars per million tokens, by model id")

    @model_validator(mode="after")
    def _replies_fit_their_windows(self) -> Settings:
        for place, choice in _list_choices(self.models):
            window = choice.context_window or self._window_of(choice.model)
            if choice.max_tokens and choice.max_tokens >= window:
                raise PydanticCustomError(
                    "reply_over_window",
                    "max_tokens ({max_tokens}) must be under its window ({window})",
                    {"max_tokens": choice.max_tokens, "window": window, "under": ("models", *place, "max_tokens")},
                )
        return self

    def _window_of(self, model: str) -> int:
        provider = self.providers.get(model.split("/", 1)[0])
        return (provider and provider.context_window) or self.budget.context_window


def _list_choices(models: Models) -> list[tuple[tuple[str, ...], ModelChoice]]:
    named = [((role,), getattr(models, role)) for role in ("default", *ROLES)]
    staged = [(("overrides", stage), choice) for stage, choice in models.overrides.items()]
    return [(place, choice) for place, choice in [*named, *staged] if choice is not None]
