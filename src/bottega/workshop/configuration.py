"""The verbs about settings: show them, check them, write a first file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import InputError, StorageError
from bottega.journal import Masker
from bottega.models.detect import DetectedModel, detect
from bottega.settings import LoadedSettings, TrustStore, load_settings, template
from bottega.source import escape_breaks
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation
from bottega.workshop.models import read_model_choice
from bottega.write import require_language


class ConfigRequest(VerbRequest):
    """Every setting with where it came from; secrets are never shown."""

    verb: ClassVar[str] = "config"
    uses_models: ClassVar[bool] = False


class SettingValue(FrozenValue):
    value: Any
    origin: str


class ConfigResult(VerbResult):
    settings: dict[str, SettingValue]

    def render(self, form: str = "text") -> str:
        del form
        width = max(len(key) for key in self.settings)
        lines = [
            f"{key:<{width}}  {_format_value(entry.value)}  ({entry.origin})" for key, entry in self.settings.items()
        ]
        return "".join(f"{escape_breaks(line)}\n" for line in lines)


class ConfigCheckRequest(VerbRequest):
    """Check every source of settings and the pipelines they name."""

    verb: ClassVar[str] = "config.check"
    uses_models: ClassVar[bool] = False


class ConfigCheckResult(VerbResult):
    files: tuple[str, ...]
    pipelines: int

    def render(self, form: str = "text") -> str:
        del form
        return f"ok: {', '.join(self.files) or 'no files, defaults only'}; {plural(self.pipelines, 'pipeline')}\n"


class InitRequest(VerbRequest):
    """Look for models on this machine and write a short bottega.toml."""

    verb: ClassVar[str] = "init"
    uses_models: ClassVar[bool] = False
    reads_settings: ClassVar[bool] = False

    force: bool = Field(False, description="overwrite an existing bottega.toml")
    model: str = Field("", description="write this model instead of looking for one")


class FoundModel(FrozenValue):
    model: str
    where: str


class InitResult(VerbResult):
    """`found` are models that can be used here, the chosen one first."""

    path: Path
    found: tuple[FoundModel, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        if self.found:
            return ()
        return ("no model found: `bottega models pull qwen2.5-coder-1.5b` brings an embedded one (1.1 GB)",)

    def render(self, form: str = "text") -> str:
        del form
        return f"wrote {self.path}\n"


def show_config(request: ConfigRequest, house: Invocation) -> ConfigResult:
    del request
    return ConfigResult(settings=dict(_rows(house.loaded)))


def check_config(request: ConfigCheckRequest, house: Invocation) -> ConfigCheckResult:
    del request
    house.pipelines.find(house.settings.write.pipeline)
    require_language(house.settings.write.language)
    return ConfigCheckResult(files=house.loaded.files, pipelines=len(house.pipelines.names()))


def initialise(request: InitRequest, house: Invocation) -> InitResult:
    path, loaded = house.root / "bottega.toml", house.read_settings()
    _refuse_existing(path, loaded, force=request.force)
    found = [DetectedModel(read_model_choice(request.model).model, "--model")] if request.model else []
    found = found or detect(loaded.settings, house.environ)
    for entry in found:
        house.remark(f"found {entry.model} ({entry.where})")
    chosen = found[0] if found else None
    note = (
        f"Chosen: {chosen.model} ({chosen.where})."
        if chosen
        else "No model was found: `bottega models pull` brings one."
    )
    text = template({"default": chosen.model} if chosen else {}, found=note) + _provider(chosen)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}", hint="Check the permissions.") from None
    _trust(house)
    return InitResult(path=path, found=tuple(FoundModel(model=entry.model, where=entry.where) for entry in found))


def _refuse_existing(path: Path, loaded: LoadedSettings, *, force: bool) -> None:
    if "pyproject.toml" in loaded.files:
        raise InputError("settings stand in [tool.bottega] of pyproject.toml already", hint="`bottega config show`")
    if path.is_symlink():
        raise InputError(f"{path} is a symbolic link", hint="Remove it; settings are a file of the repository.")
    if path.exists() and not force:
        raise InputError(f"{path} exists already", hint="--force overwrites it; `bottega config show` prints it.")


def _provider(chosen: DetectedModel | None) -> str:
    if chosen is None or not chosen.provider:
        return ""
    return f'\n[providers.{chosen.provider}]\nkind = "{chosen.kind}"\nbase_url = "{chosen.base_url}"\n'


def _trust(house: Invocation) -> None:
    """What this person has just had written is theirs."""
    covered = load_settings(house.root, environ=house.environ).covered
    if covered is not None:
        TrustStore(house.environ).pin(house.root, covered)


def _rows(loaded: LoadedSettings) -> Iterator[tuple[str, SettingValue]]:
    mask = Masker()
    for path, value in _leaves(loaded.settings.model_dump(mode="json"), ()):
        shown = mask(value) if isinstance(value, str) else value  # URLs may carry passwords
        yield ".".join(path), SettingValue(value=shown, origin=_origin(path, loaded.origins))


def _leaves(values: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _origin(path: tuple[str, ...], origins: Mapping[tuple[str, ...], str]) -> str:
    """A model named in short form stands for its table, so the nearest known parent with a value counts."""
    if path in origins:
        return origins[path]
    if path[:1] == ("models",) and path[-1] == "model" and path[:-1] in origins:
        return origins[path[:-1]]
    return "default"


def _format_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else "–"


CONFIG = Verb(ConfigRequest, ConfigResult, show_config)
CONFIG_CHECK = Verb(ConfigCheckRequest, ConfigCheckResult, check_config)
INIT = Verb(InitRequest, InitResult, initialise)
