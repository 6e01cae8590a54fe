"""How a workshop is opened: which directory, which settings, where its records are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from bottega.home import find_home, find_root
from bottega.settings import LoadedSettings, Provider, Settings, load_settings, provider_names
from bottega.source.cache import cache_folder
from bottega.source.mounts import Mounts
from bottega.source.tree import RepositoryFiles

_MOST_SHOWN = 4
Remark = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Opening:
    """What the caller said on opening: flags that stand above every file of settings.

    `model` and `timeout` hold for every role and server. `is_exact` takes the directory itself for the root instead of
    looking for the repository around it. `keeps_records_elsewhere` keeps records in the user's cache where the
    directory cannot be written.
    """

    directory: Path = Path()
    assignments: tuple[str, ...] = ()
    model: str | None = None
    timeout: float | None = None
    allow_unsafe_sandbox: bool = False
    is_exact: bool = False
    keeps_records_elsewhere: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def find_root(self) -> Path:
        """Raise `InputError` for what is not a directory."""
        around = find_root(self.directory)
        return self.directory.resolve() if self.is_exact else around

    def load_settings(self, root: Path, files: RepositoryFiles | None = None) -> LoadedSettings:
        """Settings with the flags on top; `files` are the repository's as they count, on the disk unless given."""
        loaded = load_settings(root, environ=self.environ, assignments=self.assignments, model=self.model, files=files)
        return loaded if self.timeout is None else replace_timeouts(loaded, self.timeout)


def replace_timeouts(loaded: LoadedSettings, timeout: float) -> LoadedSettings:
    """The same settings with one timeout for every provider."""
    known = {**{name: Provider() for name in provider_names()}, **loaded.settings.providers}
    providers = {name: server.model_copy(update={"timeout": timeout}) for name, server in known.items()}
    return replace(loaded, settings=loaded.settings.model_copy(update={"providers": providers}))


def replace_limits(settings: Settings, limits: Mapping[str, float | None]) -> Settings:
    """The same settings with those limits replaced that are given."""
    given = {name: value for name, value in limits.items() if value is not None}
    return settings.model_copy(update={"limits": settings.limits.model_copy(update=given)}) if given else settings


def describe_set_aside(loaded: LoadedSettings) -> str:
    """Which settings of the repository are not in force; "" where all of them are."""
    if not loaded.set_aside:
        return ""
    shown = ", ".join(entry.key for entry in loaded.set_aside[:_MOST_SHOWN])
    more = f" and {len(loaded.set_aside) - _MOST_SHOWN} more" if len(loaded.set_aside) > _MOST_SHOWN else ""
    why = "" if loaded.is_trusted else " (not trusted: `bottega trust` shows what it asks for)"
    return f"{loaded.set_aside[0].place.partition(':')[0]}: not in force: {shown}{more}{why}"


def find_records_root(root: Path, remark: Remark) -> Path:
    """The directory beside which records are kept: the root, or one in the user's cache where it cannot be written."""
    folder = find_home(root, remark)
    is_writable = os.access(folder if folder.exists() else root, os.W_OK | os.X_OK)
    if is_writable and not Mounts().is_pseudo(root.stat().st_dev):
        return root
    elsewhere = cache_folder() / "investigations" / sha256(os.fsencode(root)).hexdigest()[:24]
    elsewhere.mkdir(mode=0o700, parents=True, exist_ok=True)
    remark(f"{root} cannot be written: records are kept in {elsewhere}")
    return elsewhere
