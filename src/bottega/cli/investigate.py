"""`bottega investigate`."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.inputs import resolve_directory
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import TEXT, Output, output_options
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.investigate import InvestigateRequest
    from bottega.workshop import Workshop

SEVERITIES = ("info", "concern", "critical")
FORMATS = ("text", "json", "markdown", "html")


def tree_options(function: Any) -> Any:
    """Options of `scan` and `investigate` that select files."""
    function = click.option(
        "-x", "--exclude", multiple=True, metavar="NAME", help="Leave out files and directories of this name (* and ?)."
    )(function)
    function = click.option(
        "-a", "--all", "everything", is_flag=True, help="Include generated files and files that git ignores."
    )(function)
    return click.option("--no-hidden", is_flag=True, help="Leave out names that begin with a dot.")(function)


@click.command(short_help="Explain an unknown directory and flag what should worry its owner.")
@click.argument("target", metavar="[DIR]", required=False)
@tree_options
@click.option("--fresh", is_flag=True, help="Start over without the results of earlier runs.")
@click.option("--estimate", is_flag=True, help="Estimate the work, and call no model.")
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
@click.option("--pipeline", metavar="NAME", default="", help="Another pipeline, or its file.")
@click.option("-d", "--depth", type=click.IntRange(0, 50), default=3, help="Levels of the tree in the report.")
@click.option(
    "--forget",
    is_flag=True,
    help="Remove what all investigations kept here learnt; with DIR, those of DIR, then begin.",
)
@output_options(*FORMATS)
@model_options
def investigate(
    target: str | None,
    exclude: tuple[str, ...],
    everything: bool,
    no_hidden: bool,
    fresh: bool,
    estimate: bool,
    no_model: bool,
    fail_on: Any,
    max_directories: int | None,
    max_turns: int | None,
    max_tokens: int | None,
    budget: float | None,
    minutes: float | None,
    pipeline: str,
    depth: int,
    forget: bool,
    output: Output,
    repo: Path,
    **shared: Any,
) -> int:
    """Explain the directory DIR (default: here): what it is, what its parts are, what should worry its owner.

    Works on any tree, code or not. Directories are investigated from the leaves up, each by a bounded loop with tools
    that only look. What was learnt is kept by content: a second run pays only for what changed. Exit code 1 when a flag
    is at or above --fail-on, otherwise 4 when something was only partly investigated, 0 when all is done.
    """
    from bottega.investigate import EstimateRequest, ForgetRequest, InvestigateRequest

    if target is not None and repo != Path():
        raise InputError("DIR and --repo name two directories", hint="Name the one to investigate.")
    directory = resolve_directory(repo if target is None else target)
    tree = {"target": directory, "exclude": exclude, "everything": everything, "hidden": not no_hidden}
    bounds = {"max_directories": max_directories or 0, "max_turns": max_turns or 0}
    with open_workshop(directory, keeps_records_elsewhere=True, **shared) as workshop:
        if forget:
            print_result(workshop.call(ForgetRequest(target=None if target is None else directory)), TEXT)
            if target is None:
                return 0
        if estimate:
            forecast = call(workshop, EstimateRequest(**tree, **bounds, fresh=fresh))
            return print_result(forecast, output if output.form == "json" else replace(output, form="text"))
        request = InvestigateRequest(
            **tree,
            **bounds,
            fresh=fresh,
            no_model=no_model,
            fail_on=fail_on,
            max_tokens=max_tokens,
            budget=budget,
            minutes=minutes,
            pipeline=pipeline,
            report_file=output.file or _find_redirected_file(),
        )
        return _print_report(workshop, request, output, depth=depth)


def _print_report(workshop: Workshop, request: InvestigateRequest, output: Output, *, depth: int) -> int:
    """Investigate, print the report, and record its file, so that a later run does not read it as evidence."""
    from bottega.investigate import NoteReportRequest

    result = call(workshop, request)
    text = result.render(output.form, depth=depth) if output.form != "json" else ""
    code = print_result(result, output, text=text)
    file = request.report_file
    if file is not None and (output.file is not None or result.is_own_report(file)):
        workshop.call(NoteReportRequest(target=request.target, file=file))
    return code


def _find_redirected_file() -> Path | None:
    """The file that standard output is redirected to; `None` where it is not one, or the system does not tell."""
    try:
        handle = sys.stdout.fileno()
        return Path(f"/proc/self/fd/{handle}").resolve() if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except (OSError, ValueError, RuntimeError):
        return None
