"""`doctor`: what is installed on this machine, what the repository has, and what to do about the rest."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

from bottega import __version__
from bottega.amounts import plural
from bottega.errors import BottegaError, SandboxError
from bottega.models.detect import detect
from bottega.models.weights import installed, list_weights
from bottega.settings import LoadedSettings, Settings
from bottega.source import escape_breaks
from bottega.source.git import open_git
from bottega.source.programs import find_program
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation

State = Literal["ok", "missing", "broken"]
_EXTRAS = {
    "xllamacpp": ("embedded", "runs embedded models in the process"),
    "faiss": ("vectors", "searches large sets of vectors quickly"),
    "ruff": ("review", "checks Python in reviews"),
}
_LITTLE_SPACE = 1_000_000_000
_SECONDS = 10

_BRINGS_RUNTIME = "the extra bottega[embedded] brings it: bottega docs install"


class DoctorRequest(VerbRequest):
    """Check the machine, the installation and the repository."""

    verb: ClassVar[str] = "doctor"
    uses_models: ClassVar[bool] = False
    reads_settings: ClassVar[bool] = False


class Check(FrozenValue):
    """One thing that was looked for. What is missing limits some verbs; what is broken has to be mended."""

    name: str
    state: State
    detail: str
    hint: str = ""


class DoctorResult(VerbResult):
    checks: tuple[Check, ...]

    @property
    def gate(self) -> Gate:
        return "failed" if any(check.state == "broken" for check in self.checks) else "passed"

    def render(self, form: str = "text") -> str:
        del form
        width = max(len(check.name) for check in self.checks)
        lines = []
        for check in self.checks:
            lines.append(f"{check.state:<8} {check.name:<{width}}  {escape_breaks(check.detail)}")
            if check.hint:
                lines.append(f"{'':<8} {'':<{width}}  {check.hint}")
        return "".join(f"{line.rstrip()}\n" for line in lines)


def check_installation(request: DoctorRequest, house: Invocation) -> DoctorResult:
    del request
    return DoctorResult(checks=tuple(_list_checks(house)))


def _list_checks(house: Invocation) -> Iterator[Check]:
    yield Check(
        name="bottega",
        state="ok",
        detail=f"{__version__}, Python {platform.python_version()}, {plural(os.cpu_count() or 1, 'core')}",
    )
    yield _check_git(house.root)
    yield _check_repository(house)
    loaded, settings = _check_settings(house)
    yield settings
    yield _check_space(house.root)
    yield _check_sandbox(house)
    yield from map(_check_extra, _EXTRAS)
    yield _check_weights()
    yield _check_models(loaded.settings if loaded else Settings(), house)


def _check_git(root: Path) -> Check:
    program = find_program("git", outside=root)
    if program is None:
        return Check(
            name="git",
            state="missing",
            detail="not on the PATH: no history, no review of changes",
            hint="apt install git, brew install git",
        )
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name="git", state="broken", detail=f"{program} cannot be run: {error}", hint="Install it again.")
    return Check(name="git", state="ok", detail=shown.stdout.strip().removeprefix("git version "))


def _check_repository(house: Invocation) -> Check:
    name = "repository"
    try:
        kind = "git" if open_git(house.root) is not None else "without git"
        if not house.is_indexed:
            return Check(name=name, state="missing", detail=f"{house.root} ({kind}), not indexed", hint="bottega index")
        return Check(name=name, state="ok", detail=f"{house.root} ({kind}), indexed")
    except BottegaError as error:
        return Check(name=name, state="broken", detail=str(error), hint=error.hint)


def _check_settings(house: Invocation) -> tuple[LoadedSettings | None, Check]:
    try:
        loaded = house.read_settings()
    except BottegaError as error:
        return None, Check(name="settings", state="broken", detail=str(error), hint=error.hint)
    detail = ", ".join(loaded.files) or "defaults, no bottega.toml"
    if loaded.set_aside:
        count = len(loaded.set_aside)
        hint = "`bottega trust` shows them."
        detail += f"; {count} of the repository's {'is' if count == 1 else 'are'} not in force"
        return loaded, Check(name="settings", state="ok", detail=detail, hint=hint)
    return loaded, Check(name="settings", state="ok", detail=detail)


def _check_space(root: Path) -> Check:
    free = shutil.disk_usage(root).free
    is_little = free < _LITTLE_SPACE
    return Check(
        name="disk",
        state="broken" if is_little else "ok",
        detail=f"{free / 1e9:.1f} GB free",
        hint="Records and vectors need room." if is_little else "",
    )


def _check_sandbox(house: Invocation) -> Check:
    """Whether generated code can be run apart from the machine."""
    from bottega.sandbox import open_sandbox

    try:
        open_sandbox(outside=house.root)
    except SandboxError as error:
        detail = f"{error}: `write` and `review` run no code"
        return Check(name="sandbox", state="missing", detail=detail, hint=error.hint)
    return Check(name="sandbox", state="ok", detail="bubblewrap works")


def _check_extra(module: str) -> Check:
    extra, purpose = _EXTRAS[module]
    if importlib.util.find_spec(module) is not None:
        return Check(name=extra, state="ok", detail=purpose)
    hint = f"the extra bottega[{extra}] brings it: bottega docs install"
    return Check(name=extra, state="missing", detail=f"{module} {purpose}", hint=hint)


def _check_weights() -> Check:
    names = [weights.name for weights in list_weights() if installed(weights) is not None]
    if names and importlib.util.find_spec("xllamacpp") is None:
        return Check(
            name="weights",
            state="missing",
            detail=f"{', '.join(names)}: here, but nothing runs them",
            hint=_BRINGS_RUNTIME,
        )
    if names:
        return Check(name="weights", state="ok", detail=", ".join(names))
    return Check(
        name="weights",
        state="missing",
        detail="no embedded model on this machine",
        hint="bottega models pull qwen2.5-coder-1.5b (1.1 GB)",
    )


def _check_models(settings: Settings, house: Invocation) -> Check:
    if settings.models.default is not None:
        return Check(
            name="models",
            state="ok",
            detail=f"{settings.models.default.model} by the settings",
            hint="`bottega models` says whether it answers.",
        )
    found = detect(settings, house.environ)
    if found:
        return Check(name="models", state="ok", detail="; ".join(f"{entry.model} ({entry.where})" for entry in found))
    return Check(
        name="models",
        state="missing",
        detail="none configured, none found on this machine",
        hint="`bottega models recommend` names one that fits; search, show and graph need none.",
    )


DOCTOR = Verb(DoctorRequest, DoctorResult, check_installation)
