"""Options that several verbs share, and the workshop they open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bottega.cli.locations import Locations

if TYPE_CHECKING:
    from bottega.workshop import Workshop

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


def open_workshop(
    repo: Path = Path(),
    assignments: tuple[str, ...] = (),
    *,
    model: str | None = None,
    timeout: float | None = None,
    allow_unsafe_sandbox: bool = False,
    is_exact: bool = False,
    keeps_records_elsewhere: bool = False,
) -> Workshop:
    """Open the workshop with the shared options; use it as a context manager."""
    from bottega.cli.progress import print_remark
    from bottega.workshop import Opening, Workshop

    opening = Opening(
        repo,
        assignments=assignments,
        model=model,
        timeout=timeout,
        allow_unsafe_sandbox=allow_unsafe_sandbox,
        is_exact=is_exact,
        keeps_records_elsewhere=keeps_records_elsewhere,
    )
    workshop = Workshop(opening, on_remark=print_remark)
    if (context := click.get_current_context(silent=True)) is not None:
        context.find_root().obj = Locations(lambda: workshop.root, repo)
    return workshop


def find_locations() -> Locations:
    """The locations of the workshop that was opened last."""
    context = click.get_current_context(silent=True)
    found = context.find_root().obj if context is not None else None
    return found if isinstance(found, Locations) else Locations(Path.cwd, Path())
