"""The table of known models: `models.toml` beside this file, and the user's own rows above it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from bottega.errors import SettingsError
from bottega.settings import user_settings_file
from bottega.settings.layers import Layer, file_layer, parse_layer

Role = Literal["coding", "reasoning", "classifier", "judge", "reviewer", "router", "summarizer", "translator"]
ModelId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+/[^\x00-\x1f\x7f-\x9f]+$", max_length=200)]
_FILE = "models.toml"
_PULLS = {"ollama": "ollama pull {name}", "embedded": "bottega models pull {name}"}


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MeasuredSpeed(_Row):
    """Tokens per second that were measured on `machine`."""

    prompt: float = Field(gt=0)
    reply: float = Field(gt=0)
    machine: str


class KnownModel(_Row):
    """The facts about one model. `memory_gb` and `cache_bytes_per_token` are `None` where the source does not tell."""

    size_gb: float = Field(gt=0)
    memory_gb: float | None = Field(None, gt=0)
    cache_bytes_per_token: int | None = Field(None, ge=0)
    parameters_b: float | None = Field(None, gt=0)
    active_parameters_b: float | None = Field(None, gt=0)
    context_window: int = Field(gt=0)
    licence: str
    permits_commercial_use: bool = True
    roles: Annotated[tuple[Role, ...], Strict(False)]
    good_for: str
    measured: str = ""
    speed: MeasuredSpeed | None = None
    command: str = ""
    source: str
    checked: date

    @property
    def read_gb(self) -> float:
        """GB of weights that are read for every token: all of them, unless only some parameters are active."""
        if self.parameters_b is None or self.active_parameters_b is None:
            return self.size_gb
        return self.size_gb * self.active_parameters_b / self.parameters_b


_TABLE = TypeAdapter(dict[ModelId, KnownModel])


def load_table(environ: Mapping[str, str]) -> dict[str, KnownModel]:
    """Every known model by id: the user's rows first, then ours that they do not replace, in the order of the files."""
    path = user_table_file(environ)
    layer = file_layer(path, shown=str(path))
    own = {} if layer is None else _read_rows(layer)
    return own | {model: row for model, row in _load_shipped().items() if model not in own}


def find_known_model(model: str, environ: Mapping[str, str]) -> KnownModel | None:
    return load_table(environ).get(model)


def user_table_file(environ: Mapping[str, str]) -> Path:
    """`models.toml` beside the user's settings."""
    return user_settings_file(environ).with_name(_FILE)


def pull_command(model: str, row: KnownModel) -> str:
    """The command that brings a model here; "" where its server is not one that we know."""
    provider, _, name = model.partition("/")
    return row.command or _PULLS.get(provider, "").format(name=name)


@cache
def _load_shipped() -> dict[str, KnownModel]:
    content = (resources.files(__package__) / _FILE).read_bytes()
    layer = parse_layer(content, shown=_FILE)
    assert layer is not None
    return _read_rows(layer)


def _read_rows(layer: Layer) -> dict[str, KnownModel]:
    try:
        return _TABLE.validate_python(dict(layer.values))
    except ValidationError as error:
        # A misspelt key is also a missing one; its own name tells more.
        first = min(error.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        raise _explain(first, layer) from None


def _explain(detail: ErrorDetails, layer: Layer) -> SettingsError:
    """The row and key that are wrong, with the line of the file."""
    path = tuple(part for part in detail["loc"] if isinstance(part, str) and part != "[key]")
    where, key = layer.place(path), ".".join(path)
    if detail["type"] == "extra_forbidden":
        known = list((MeasuredSpeed if path[1:-1] == ("speed",) else KnownModel).model_fields)
        close = difflib.get_close_matches(path[-1], known, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(known)}."
        return SettingsError(f"{where}: {key}: no such key", hint=hint)
    problem = "is required" if detail["type"] == "missing" else detail["msg"][:1].lower() + detail["msg"][1:]
    return SettingsError(f"{where}: {key}: {problem}", hint="`bottega docs models` shows a row and its keys.")
