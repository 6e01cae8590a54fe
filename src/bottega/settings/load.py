"""Read all sources of settings in order, merge and validate them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bottega.errors import SettingsError
from bottega.settings.explain import explain_error
from bottega.settings.layers import (
    KeyPath,
    Layer,
    file_layer,
    flag_layer,
    parse_layer,
    user_settings_file,
    variables_layers,
)
from bottega.settings.narrowing import Baseline, IgnoredSetting, narrow
from bottega.settings.schema import Settings
from bottega.settings.trust import TrustedFiles, TrustStore, collect_trusted_files
from bottega.source.files import NotARegularFile
from bottega.source.tree import DiskFiles, RepositoryFiles

REPOSITORY_FILES = ("bottega.toml", "pyproject.toml")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Valid settings, and the source of each value that is not a default.

    `set_aside` are values of the repository that are ignored; `covered` is what the user must trust to apply them,
    `None` where the repository sets nothing.
    """

    settings: Settings
    origins: Mapping[KeyPath, str]
    files: tuple[str, ...]
    set_aside: tuple[IgnoredSetting, ...] = ()
    covered: TrustedFiles | None = None
    is_trusted: bool = False


def load_settings(
    root: Path,
    *,
    environ: Mapping[str, str],
    assignments: Sequence[str] = (),
    model: str | None = None,
    files: RepositoryFiles | None = None,
) -> LoadedSettings:
    """Load the user's file, the repository's, variables and flags; later ones win.

    Of the repository's file only values that narrow are applied, unless the user trusts its current content. `files`
    are the repository's files, by default those on disk.
    """
    files = files or DiskFiles(root)
    user = file_layer(user_settings_file(environ), shown=str(user_settings_file(environ)))
    repository = _repository_layer(files)
    above = [*variables_layers(environ), *(flag_layer(assignment) for assignment in assignments)]
    if model is not None:
        above.append(Layer("--model", {"models": {"default": model}}))
    own = [layer for layer in (user, *above) if layer is not None]
    if repository is None:
        return _merge_layers(own)
    below = [user] if user else []
    everything = _merge_layers([*below, repository, *above])  # validates ignored values too
    covered = collect_trusted_files(repository.name, repository.values, files)
    is_trusted = TrustStore(environ).holds(root, covered)
    narrowed, aside = narrow(repository, _build_baseline(own, below), is_trusted=is_trusted)
    if not aside:
        return _add_trust(everything, covered, is_trusted=is_trusted)
    return _add_trust(_merge_layers([*below, narrowed, *above]), covered, aside, is_trusted=is_trusted)


def _add_trust(
    loaded: LoadedSettings, covered: TrustedFiles, aside: Sequence[IgnoredSetting] = (), *, is_trusted: bool
) -> LoadedSettings:
    return LoadedSettings(loaded.settings, loaded.origins, loaded.files, tuple(aside), covered, is_trusted)


def _build_baseline(own: Sequence[Layer], below: Sequence[Layer]) -> Baseline:
    """Limits are compared with the user's file, models and servers with everything the user sets."""
    everything, file_only = _merge_values(own), _merge_values(below)
    chosen: dict[str, Any] = {key: everything[key] for key in ("models", "providers", "trust") if key in everything}
    return Baseline(file_only | chosen, Settings().model_dump(mode="json"))


def _merge_values(layers: Sequence[Layer]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in layers:
        _merge(merged, layer.values, (), layer, origins)
    return merged


def _merge_layers(layers: Sequence[Layer]) -> LoadedSettings:
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in layers:
        if layer.name == "--model":
            merged.pop("models", None)
            _forget(origins, ("models",))
        _merge(merged, layer.values, (), layer, origins)
    settings = _validate(merged, origins)
    shown = {path: layer.place(path) for path, layer in origins.items()}
    return LoadedSettings(settings, shown, tuple(layer.name for layer in layers if layer.lines))


def _repository_layer(files: RepositoryFiles) -> Layer | None:
    own, project = (_read_layer(name, files) for name in REPOSITORY_FILES)
    if own and project:
        raise SettingsError(
            "there are settings both in bottega.toml and in [tool.bottega] of pyproject.toml",
            hint="Keep one of the two.",
        )
    return own or project


def _read_layer(name: str, files: RepositoryFiles) -> Layer | None:
    try:
        content = files.read(name)
    except NotARegularFile as error:
        raise SettingsError(f"{name} is not a file: it {error.strerror}", hint="Settings are a TOML file.") from None
    except OSError as error:
        raise SettingsError(f"{name} cannot be read: {error.strerror or error}", hint="Check it.") from None
    if content is None:
        return None
    if len(content) > _LARGEST:
        raise SettingsError(f"{name} is larger than {_LARGEST:,} bytes", hint="Settings are a short file.")
    return parse_layer(content, shown=name, is_project=name == "pyproject.toml", trusted=False)


def _merge(
    merged: dict[str, Any],
    values: Mapping[str, Any],
    at: KeyPath,
    layer: Layer,
    origins: dict[KeyPath, Layer],
) -> None:
    for key, value in values.items():
        path = (*at, key)
        if isinstance(value, Mapping):
            inner = merged.get(key)
            merged[key] = dict(inner) if isinstance(inner, Mapping) else {}
            _merge(merged[key], value, path, layer, origins)
        else:
            if isinstance(merged.get(key), Mapping):
                _forget(origins, path)
            merged[key] = value
        origins[path] = layer


def _forget(origins: dict[KeyPath, Layer], under: KeyPath) -> None:
    """Remove the origins of a value that was replaced, and of its parts."""
    for path in [path for path in origins if path[: len(under)] == under]:
        del origins[path]


def _validate(merged: dict[str, Any], origins: Mapping[KeyPath, Layer]) -> Settings:
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise explain_error(error.errors()[0], origins) from None
