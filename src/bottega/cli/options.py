"""Options that several verbs share, and the workshop they open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bottega.settings import Loaded, ModelChoice
    from bottega.source.tree import RepositoryFiles
    from bottega.workshop import Workshop

_MOST_SHOWN = 4

F = TypeVar("F", bound=Callable[..., Any])


def settings_options(function: F) -> F:
    """--repo and --set."""
    function = click.option(
        "--set", "assignments", multiple=True, metavar="KEY=VALUE", help="Set any setting for this call."
    )(function)
    return click.option(
        "--repo",
        type=click.Path(path_type=Path),
        default=Path(),
        show_default=False,
        help="Repository (default: here).",
    )(function)


def model_options(function: F) -> F:
    """--model, --timeout and --allow-unsafe-sandbox, with the settings options."""
    function = click.option("--model", metavar="ID", help="Use this model for every role: provider/model.")(function)
    function = click.option("--timeout", type=click.FloatRange(min=0.1), help="Seconds one model call may take.")(
        function
    )
    function = click.option(
        "--allow-unsafe-sandbox", is_flag=True, help="Run generated code without bubblewrap, with resource limits only."
    )(function)
    return settings_options(function)


def format_option(*formats: str) -> Callable[[F], F]:
    return click.option(
        "--format", "form", type=click.Choice(formats or ("text", "json")), default="text", help="How to print."
    )


def load(
    repo: Path,
    assignments: tuple[str, ...],
    model: str | None = None,
    files_of: Callable[[Path], RepositoryFiles] | None = None,
) -> tuple[Path, Loaded]:
    """The root of a repository and its settings; `files_of` says where a root's own files are read from."""
    from bottega.journal.root import find_root
    from bottega.settings import load_settings

    root = find_root(repo)
    files = files_of(root) if files_of else None
    return root, load_settings(root, environ=os.environ, assignments=assignments, model=model, files=files)


def announce_set_aside(loaded: Loaded) -> None:
    """Say which settings of the repository are not in force, once for each command."""
    from bottega.cli.progress import announce

    if not loaded.set_aside:
        return
    shown = ", ".join(entry.key for entry in loaded.set_aside[:_MOST_SHOWN])
    more = f" and {len(loaded.set_aside) - _MOST_SHOWN} more" if len(loaded.set_aside) > _MOST_SHOWN else ""
    why = "" if loaded.is_trusted else " (not trusted: `bottega trust` shows what it asks for)"
    announce(f"{loaded.set_aside[0].place.partition(':')[0]}: not in force: {shown}{more}{why}")


@contextmanager
def opened(
    repo: Path,
    assignments: tuple[str, ...] = (),
    *,
    model: str | None = None,
    timeout: float | None = None,
    allow_unsafe_sandbox: bool = False,
    look_for_models: bool = True,
    home: Callable[[Path], Path] = lambda root: root,
    files_of: Callable[[Path], RepositoryFiles] | None = None,
) -> Iterator[Workshop]:
    """A workshop that is closed again, with progress on standard error; `home` says where a root's records are kept."""
    from bottega.cli.progress import announce, show_event
    from bottega.workshop import Workshop

    root, loaded = load(repo, assignments, model, files_of)
    announce_set_aside(loaded)
    if timeout is not None:
        loaded = _with_timeout(loaded, timeout)
    workshop = Workshop(
        home(root),
        loaded,
        environ=os.environ,
        on_event=show_event(sys.stderr),
        on_remark=announce,
        allow_unsafe_sandbox=allow_unsafe_sandbox,
        look_for_models=look_for_models,
        files=files_of(root) if files_of else None,
    )
    try:
        yield workshop
    finally:
        workshop.close()


def _with_timeout(loaded: Loaded, timeout: float) -> Loaded:
    """The same settings with every provider's timeout replaced."""
    import dataclasses

    from bottega.models import PROVIDERS
    from bottega.settings import Provider

    known = {**{name: Provider() for name in PROVIDERS}, **loaded.settings.providers}
    providers = {name: place.model_copy(update={"timeout": timeout}) for name, place in known.items()}
    return dataclasses.replace(loaded, settings=loaded.settings.model_copy(update={"providers": providers}))


def model_choice(name: str) -> ModelChoice:
    """A model id from the command line."""
    from pydantic import ValidationError

    from bottega.errors import InputError
    from bottega.settings import ModelChoice

    try:
        return ModelChoice(model=name)
    except ValidationError:
        hint = "Ids read provider/model, e.g. ollama/qwen2.5-coder:7b."
        raise InputError(f"{name} is not a model id", hint=hint) from None
