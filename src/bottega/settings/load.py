"""Read every source of settings once, in order, and refuse what cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bottega.errors import SettingsError
from bottega.settings.explain import explained
from bottega.settings.layers import (
    KeyPath,
    Layer,
    file_layer,
    flag_layer,
    parse_layer,
    user_settings_file,
    variables_layers,
)
from bottega.settings.narrowing import Ground, SetAside, narrow
from bottega.settings.schema import Settings
from bottega.settings.trust import Covered, TrustStore, cover
from bottega.source.files import NotARegularFile
from bottega.source.tree import DiskFiles, RepositoryFiles

REPOSITORY_FILES = ("bottega.toml", "pyproject.toml")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """Valid settings, and where each value that is not a default came from.

    `set_aside` are values of the repository that are not in force; `covered` is what a person would have to trust to
    have them, `None` where the repository sets nothing.
    """

    settings: Settings
    origins: Mapping[KeyPath, str]
    files: tuple[str, ...]
    set_aside: tuple[SetAside, ...] = ()
    covered: Covered | None = None
    is_trusted: bool = False


def load_settings(
    root: Path,
    *,
    environ: Mapping[str, str],
    assignments: Sequence[str] = (),
    model: str | None = None,
    files: RepositoryFiles | None = None,
) -> Loaded:
    """Person's file, then the repository's, then variables, then flags; later ones win.

    Of the repository's file only what narrows is in force, unless the person trusts it as it is. `files` are the
    repository's as they count; as they lie on the disk unless given.
    """
    files = files or DiskFiles(root)
    person = file_layer(user_settings_file(environ), shown=str(user_settings_file(environ)))
    repository = _repository_layer(files)
    above = [*variables_layers(environ), *(flag_layer(assignment) for assignment in assignments)]
    if model is not None:
        above.append(Layer("--model", {"models": {"default": model}}))
    own = [layer for layer in (person, *above) if layer is not None]
    if repository is None:
        return _merged(own)
    below = [person] if person else []
    everything = _merged([*below, repository, *above])  # what cannot be is refused, also where it is not in force
    covered = cover(repository.name, repository.values, files)
    is_trusted = TrustStore(environ).holds(root, covered)
    narrowed, aside = narrow(repository, _ground(own, below), is_trusted=is_trusted)
    if not aside:
        return _with(everything, covered, is_trusted=is_trusted)
    return _with(_merged([*below, narrowed, *above]), covered, aside, is_trusted=is_trusted)


def _with(loaded: Loaded, covered: Covered, aside: Sequence[SetAside] = (), *, is_trusted: bool) -> Loaded:
    return Loaded(loaded.settings, loaded.origins, loaded.files, tuple(aside), covered, is_trusted)


def _ground(own: Sequence[Layer], below: Sequence[Layer]) -> Ground:
    """Limits are held against the person's file, choices of models and servers against all that is theirs."""
    everything, file_only = _values_of(own), _values_of(below)
    chosen: dict[str, Any] = {key: everything[key] for key in ("models", "providers", "trust") if key in everything}
    return Ground(file_only | chosen, Settings().model_dump(mode="json"))


def _values_of(layers: Sequence[Layer]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in layers:
        _merge(merged, layer.values, (), layer, origins)
    return merged


def _merged(layers: Sequence[Layer]) -> Loaded:
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in layers:
        if layer.name == "--model":
            merged.pop("models", None)
            _forget(origins, ("models",))
        _merge(merged, layer.values, (), layer, origins)
    settings = _validate(merged, origins)
    shown = {path: layer.place(path) for path, layer in origins.items()}
    return Loaded(settings, shown, tuple(layer.name for layer in layers if layer.lines))


def _repository_layer(files: RepositoryFiles) -> Layer | None:
    own, project = (_read_layer(name, files) for name in REPOSITORY_FILES)
    if own and project:
        raise SettingsError(
            "settings stand in bottega.toml and in [tool.bottega] of pyproject.toml",
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
    """Once a value is replaced, where its parts came from is no longer true."""
    for path in [path for path in origins if path[: len(under)] == under]:
        del origins[path]


def _validate(merged: dict[str, Any], origins: Mapping[KeyPath, Layer]) -> Settings:
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise explained(error.errors()[0], origins) from None
