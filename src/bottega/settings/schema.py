"""The one schema of settings: it validates, documents and writes the template."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, field_validator, model_validator
from pydantic_core import PydanticCustomError

ROLES = ("coding", "reasoning", "classifier", "judge", "reviewer", "router", "summarizer", "translator")

DEFAULT_MAX_TOKENS = 2048
DEFAULT_CONTEXT_WINDOW = 8192


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, protected_namespaces=(), strict=True)


Texts = Annotated[tuple[str, ...], Strict(False)]  # TOML and JSON have lists, values have tuples


class ModelChoice(Section):
    """A model for a role or a stage, with its tuning."""

    model: str = Field(pattern=r"^[A-Za-z0-9_.-]+/[^\x00-\x1f\x7f-\x9f]+$", description="`provider/model`")
    temperature: float = Field(0.0, ge=0, le=2, description="0 is deterministic")
    max_tokens: int | None = Field(None, gt=0, description="longest reply; default 2048, at most half the window")
    context_window: int | None = Field(None, gt=0, description="tokens the model may see in all")

    @model_validator(mode="after")
    def _reply_fits_the_window(self) -> ModelChoice:
        if self.max_tokens and self.context_window and self.max_tokens >= self.context_window:
            raise PydanticCustomError(
                "reply_over_window",
                "max_tokens ({max_tokens}) must be under its window ({window})",
                {"max_tokens": self.max_tokens, "window": self.context_window, "under": ("max_tokens",)},
            )
        return self


def _table_from_name(value: object) -> object:
    return {"model": value} if isinstance(value, str) else value


def _flatten_stages(value: object) -> object:
    """Accept `write.judge = "…"` written without quotes, which TOML reads as nested tables."""
    if not isinstance(value, dict):
        return value
    flat: dict[str, object] = {}
    for key, inner in value.items():
        if isinstance(inner, dict) and inner and not inner.keys() & ModelChoice.model_fields.keys():
            nested = _flatten_stages(inner)
            assert isinstance(nested, dict)
            flat |= {f"{key}.{name}": choice for name, choice in nested.items()}
        else:
            flat[key] = inner
    return flat


Choice = Annotated[ModelChoice, BeforeValidator(_table_from_name)]


class Models(Section):
    """Which model works in which role. Ids read `provider/model`."""

    default: Choice | None = Field(None, description="serves every role without a model of its own")
    coding: Choice | None = Field(None, description="writes code")
    reasoning: Choice | None = Field(None, description="plans, answers, explains")
    classifier: Choice | None = Field(None, description="short yes/no decisions")
    judge: Choice | None = Field(None, description="scores work")
    reviewer: Choice | None = Field(None, description="corrects work")
    router: Choice | None = Field(None, description="chooses how to search")
    summarizer: Choice | None = Field(None, description="shortens")
    translator: Choice | None = Field(None, description="translates")
    overrides: Annotated[dict[str, Choice], BeforeValidator(_flatten_stages)] = Field(
        default_factory=dict, description='a model for one stage, e.g. `"write.judge" = "ollama/qwen3:4b"`'
    )


class Provider(Section):
    """A place where models answer. `[providers.NAME]` makes ids `NAME/model` work."""

    kind: Literal["ollama", "openai", "anthropic", "embedded", "scripted"] | None = Field(
        None, description="the protocol; default: the name itself"
    )
    base_url: str | None = Field(None, description="where it answers")
    api_key_env: str | None = Field(None, description="name of the variable that holds the key (never the key itself)")
    context_window: int | None = Field(None, gt=0, description="tokens; default: what the server reports, else 8192")
    concurrency: int | None = Field(None, gt=0, description="calls at a time; default 1 on this machine, 4 elsewhere")
    timeout: float = Field(300.0, gt=0, description="seconds one call may take")
    threads: int | None = Field(None, gt=0, description="embedded only; default by load")

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is not None:
            _refuse_bad_address(url)
        return url


def _refuse_bad_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or any(character.isspace() or not character.isprintable() for character in url):
        raise ValueError("should be an address such as http://127.0.0.1:11434")


class Budget(Section):
    """The token account of a call."""

    context_window: int = Field(DEFAULT_CONTEXT_WINDOW, gt=0, description="window of a model that does not say its own")
    reserved_tokens: int = Field(
        3072, ge=0, description="system prompt, request and reply; the rest of the window is for context"
    )
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

    vectors: Literal["background", "asked"] = Field(
        "background", description="when pieces get their vectors: after a change, or only by `index --vectors`"
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

    max_entries: int = Field(1000, ge=1, description="records in a file before the next one is begun")
    max_files: int = Field(0, ge=0, description="older files are removed beyond this many; 0 keeps all")


class Journal(Section):
    """What stays in raw.sqlite, for `bottega runs gc`."""

    keep_days: int = Field(90, ge=0, le=36500, description="runs older than this may be collected; 0 keeps all")
    keep_runs: int = Field(2000, ge=0, le=10**9, description="newest runs that are always kept")


class Pipelines(Section):
    """Where pipelines of your own are found, beside `.bottega/pipelines/`."""

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
    """Everything that can be set, with its defaults."""

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
        for place, choice in _placed(self.models):
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


def _placed(models: Models) -> list[tuple[tuple[str, ...], ModelChoice]]:
    named = [((role,), getattr(models, role)) for role in ("default", *ROLES)]
    staged = [(("overrides", stage), choice) for stage, choice in models.overrides.items()]
    return [(place, choice) for place, choice in [*named, *staged] if choice is not None]
