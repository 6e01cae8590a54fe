"""`bottega investigate`."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.investigations import FORMS, deliver, show_forecast
from bottega.cli.options import format_option, model_options, opened
from bottega.cli.plain import complain
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.investigate import Severity
    from bottega.pipeline import Pipeline
    from bottega.workshop import Workshop

SEVERITIES = ("info", "concern", "critical")
WITHOUT_MODEL = "investigate-scan"


def tree_options(function: Any) -> Any:
    """What is looked at: shared by `scan` and `investigate`."""
    function = click.option(
        "-x", "--exclude", multiple=True, metavar="NAME", help="Leave out files and directories of this name (* and ?)."
    )(function)
    function = click.option(
        "-a", "--all", "everything", is_flag=True, help="Also what tools made and what git leaves out."
    )(function)
    return click.option("--no-hidden", is_flag=True, help="Leave out names that begin with a dot.")(function)


@click.command(short_help="Explain an unknown directory and flag what should worry its owner.")
@click.argument("target", metavar="[DIR]", required=False)
@tree_options
@click.option("--fresh", is_flag=True, help="Start over: nothing known from earlier is used.")
@click.option("--estimate", is_flag=True, help="Say what it would take, and ask no model.")
@click.option("--no-model", is_flag=True, help="Only the base scan and what follows from it.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit 1 when a flag is at or above this.")
@click.option(
    "--max-directories", type=click.IntRange(1, 20_000), help="Directories to investigate, shallow ones first."
)
@click.option(
    "--max-turns", type=click.IntRange(1, 100_000), help="Turns of the whole run, survey and report included."
)
@click.option("--max-tokens", type=click.IntRange(min=1), help="Tokens that the run may use.")
@click.option("--budget", type=click.FloatRange(min=0, min_open=True), help="Dollars that the run may cost.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Minutes that the run may take.")
@click.option("--pipeline", "pipeline_name", metavar="NAME", help="Another pipeline, or its file.")
@click.option("-d", "--depth", type=click.IntRange(0, 50), default=3, help="Levels of the tree in the report.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the report to a file.")
@click.option(
    "--forget",
    is_flag=True,
    help="Remove what all investigations kept here learnt; with DIR, those of DIR, then begin.",
)
@format_option(*FORMS)
@model_options
def investigate(
    target: str | None,
    exclude: tuple[str, ...],
    everything: bool,
    no_hidden: bool,
    fresh: bool,
    estimate: bool,
    no_model: bool,
    fail_on: Severity | None,
    max_directories: int | None,
    max_turns: int | None,
    max_tokens: int | None,
    budget: float | None,
    minutes: float | None,
    pipeline_name: str | None,
    depth: int,
    output: Path | None,
    forget: bool,
    form: str,
    repo: Path,
    **shared: Any,
) -> int:
    """Explain the directory DIR (default: here): what it is, what its parts are, what should worry its owner.

    Works on any tree, code or not. Directories are investigated from the leaves up, each by a bounded loop with tools
    that only look. What was learnt is kept by content: a second run pays only for what changed. Exit code 1 when a flag
    is at or above --fail-on, otherwise 4 when something was only partly investigated, 0 when all is done.
    """
    from bottega.investigate import Order
    from bottega.investigate import investigate as carry_out
    from bottega.investigate.own import below, note_report, own_reports
    from bottega.investigate.scan import Options

    if target is not None and repo != Path():
        raise InputError("DIR and --repo name two directories", hint="Name the one to investigate.")
    place = resolved(repo if target is None else target)
    limits = {"tokens": max_tokens, "cost": budget, "minutes": minutes}
    shared["assignments"] = (
        *shared["assignments"],
        *(f"limits.{name}={value}" for name, value in limits.items() if value is not None),
    )
    refuse_bad_output(output)
    looks = not (no_model or (forget and target is None))
    with opened(place, look_for_models=looks, home=_home, **shared) as workshop:
        if forget:
            count = workshop.investigations.forget("" if target is None else str(place))
            complain(f"bottega: {count} investigations are forgotten\n")
            if target is None:
                return 0
        settings = workshop.settings.investigate
        goes_to = None if estimate else output or _redirected()
        own = own_reports(place, goes_to, workshop.investigations)
        options = Options(exclude, everything, hidden=not no_hidden, own=own)
        order = Order(
            place,
            options,
            fresh,
            fail_on,
            max_directories or settings.max_directories,
            max_turns or settings.max_turns,
        )
        if estimate:
            return show_forecast(order, workshop, form, output)
        pipeline = _chosen(workshop, pipeline_name, no_model=no_model)
        report = carry_out(order, engine=workshop.engine, pipeline=pipeline)
        code = deliver(report, form, depth=depth, output=output)
        if goes_to is not None and (output is not None or below(place, goes_to) in own):
            note_report(place, goes_to, workshop.investigations)
    return code


def resolved(target: str | Path) -> Path:
    """The directory that is meant, without links in its path."""
    if not str(target):
        raise InputError("the directory has no name", hint="An empty variable, perhaps; leave it out for this one.")
    try:
        place = Path(target).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be opened"
        raise InputError(f"{target}: {reason}", hint="Name a directory.") from None
    if not place.is_dir():
        raise InputError(f"{target} is not a directory", hint="Name a directory.")
    return place


def _redirected() -> Path | None:
    """The file that standard output goes to, where it goes to one and the system tells."""
    try:
        handle = sys.stdout.fileno()
        return Path(f"/proc/self/fd/{handle}").resolve() if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except (OSError, ValueError, RuntimeError):
        return None


def refuse_bad_output(output: Path | None) -> None:
    """Before anything is done that could then not be written."""
    if output is not None and (output.is_dir() or not output.absolute().parent.is_dir()):
        raise InputError(f"{output} cannot be written: it is a directory, or lies in none", hint="Name a file.")


def _home(root: Path) -> Path:
    """Where records are kept: beside the target, or in the user's cache where nothing can be written there."""
    from hashlib import sha256

    from bottega.cli.progress import announce
    from bottega.journal.home import find_home
    from bottega.source.cache import cache_folder

    folder = find_home(root, announce)
    if os.access(folder if folder.exists() else root, os.W_OK | os.X_OK) and not _is_virtual(root):
        return root
    home = cache_folder() / "investigations" / sha256(os.fsencode(root)).hexdigest()[:24]
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    complain(f"bottega: {root} cannot be written: records are kept in {home}\n")
    return home


def _is_virtual(root: Path) -> bool:
    """Whether a directory is a system's view of itself, where nothing can be made whatever its mode says."""
    from bottega.investigate.scan.walking import Mounts

    return Mounts().is_pseudo(root.stat().st_dev)


def _chosen(workshop: Workshop, name: str | None, *, no_model: bool) -> Pipeline:
    if name and no_model:
        raise InputError("--pipeline and --no-model exclude each other", hint="Give one of them.")
    has_model = not no_model and bool(workshop.roster.router.chosen())
    pipeline = workshop.pipelines.find(name or (workshop.settings.investigate.pipeline if has_model else WITHOUT_MODEL))
    if pipeline.kind != "investigate":
        raise InputError(
            f"the pipeline {pipeline.name} is of the kind {pipeline.kind}, not investigate",
            hint="`bottega pipelines list` names those that there are.",
        )
    if has_model:
        workshop.require_model()
    elif not no_model:
        complain("bottega: no model is here, so this is the base scan alone; `bottega models pull` brings one\n")
    return pipeline
