"""The settings of models and their servers."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, field_validator, model_validator
from pydantic_core import PydanticCustomError

from bottega.settings.providers import is_provider, provider_names

ROLES = ("coding", "reasoning", "classifier", "judge", "reviewer", "router", "summarizer", "translator")


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, protected_namespaces=(), strict=True)


Texts = Annotated[tuple[str, ...], Strict(False)]  # TOML and JSON have lists, values have tuples


class ModelChoice(Section):
    """A model for a role or a stage, with its tuning."""

    model: str = Field(pattern=r"^[A-Za-z0-9_.-]+/[^\x00-\x1f\x7f-\x9f]+$", description="`provider/model`")
    temperature: float = Field(0.0, ge=0, le=2, description="0 is deterministic")
    max_tokens: int | None = Field(None, gt=0, description="longest reply; default 2048, at most half the window")
    context_window: int | None = Field(None, gt=0, description="context window in tokens")

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
    """A model server. `[providers.NAME]` makes ids `NAME/model` work."""

    kind: str | None = Field(None, description="the provider whose protocol it uses; default: the name itself")
    base_url: str | None = Field(None, description="its address")
    api_key_env: str | None = Field(None, description="name of the variable that holds the key (never the key itself)")
    context_window: int | None = Field(None, gt=0, description="tokens; default: what the server reports, else 8192")
    concurrency: int | None = Field(None, gt=0, description="calls at a time; default 1 on this machine, 4 elsewhere")
    timeout: float = Field(300.0, gt=0, description="seconds one call may take")
    threads: int | None = Field(None, gt=0, description="embedded only; default by load")

    @field_validator("kind")
    @classmethod
    def _is_known(cls, kind: str | None) -> str | None:
        if kind is not None and not is_provider(kind):
            names = [f"'{name}'" for name in provider_names()]
            expected = f"{', '.join(names[:-1])} or {names[-1]}"
            raise PydanticCustomError("unknown_provider", "Input should be {expected}", {"expected": expected})
        return kind

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
