"""`bottega runs`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from bottega.cli.calling import print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options
from bottega.cli.terminal import escape_controls, render_json, write_error

_STATUSES = ("running", "done", "failed", "interrupted", "cancelled")


@click.group(cls=DefaultGroup, default="list", short_help="Show runs with steps, calls and cost; watch or cancel one.")
def runs() -> None:
    """What was done here: every run with its steps, model calls, decisions and cost. Alone, it lists them."""


@runs.command("list", short_help="List runs, the newest first.")
@click.option("-n", "--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many.")
@click.option("--status", type=click.Choice(_STATUSES), help="Only these.")
@click.option("--pipeline", metavar="NAME", default="", help="Only runs of this pipeline or kind.")
@output_options()
@settings_options
def list_runs(limit: int, status: Any, pipeline: str, output: Output, **shared: Any) -> int:
    """List runs, the newest first."""
    from bottega.workshop import RunsRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(RunsRequest(limit=limit, status=status, pipeline=pipeline)), output)


@runs.command("show", short_help="One run with its steps, calls and cost.")
@click.argument("run_id", metavar="RUN")
@click.option("--calls", "with_calls", is_flag=True, help="Print prompts and replies too.")
@output_options()
@settings_options
def show(run_id: str, with_calls: bool, output: Output, **shared: Any) -> int:
    """Show RUN (its id, a unique part of it, or `last`) with its steps, calls, decisions and cost."""
    from bottega.workshop import RunRequest

    with open_workshop(**shared) as workshop:
        result = workshop.call(RunRequest(run=run_id))
    return print_result(result, output, text=result.render(calls=with_calls))


@runs.command("watch", short_help="Follow a run of another process.")
@click.argument("run_id", metavar="RUN", default="last")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Only events numbered above this.")
@output_options()
@settings_options
def watch(run_id: str, after: int, output: Output, **shared: Any) -> int:
    """Print the events of RUN as they come, those so far included, until it ends; Ctrl-C stops watching alone.

    With --format json, each event is one line of JSON. Exit code 4 when the run did not finish.
    """
    with open_workshop(**shared) as workshop:
        run = workshop.find_run(run_id)
        for event in run.events(after):
            sys.stdout.write(
                render_json(asdict(event)) if output.form == "json" else escape_controls(_format_event(event))
            )
            sys.stdout.flush()
        write_error(f"run {run.id} is {run.status}\n")
        return 0 if run.status == "done" else 4


@runs.command("cancel", short_help="Cancel a run of another process.")
@click.argument("run_id", metavar="RUN")
@settings_options
def cancel(run_id: str, **shared: Any) -> int:
    """Ask the process that executes RUN to cancel it; finished calls are kept, and `resume` continues."""
    with open_workshop(**shared) as workshop:
        run = workshop.find_run(run_id)
        run.cancel()
    sys.stdout.write(f"run {run.id} is being cancelled; `bottega resume {run.id}` continues it\n")
    return 0


@runs.command("gc", short_help="Remove old runs from the journal.")
@click.option("--days", type=click.IntRange(min=1, max=36500), help="Older than this (default: journal.keep_days).")
@click.option("--keep", type=click.IntRange(0, 10**9), help="Keep at least this many (default: journal.keep_runs).")
@settings_options
def gc(days: int | None, keep: int | None, **shared: Any) -> int:
    """Remove runs beyond the retention settings; the newest and those under way always stay."""
    from bottega.workshop import CollectRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(CollectRequest(days=days, keep=keep)), TEXT)


def _format_event(event: Any) -> str:
    progress = f"{event.done}/{event.total} " if event.kind == "progress" else ""
    what = " ".join(part for part in (event.step, event.name, progress.strip(), event.text.strip()) if part)
    return f"{event.seq:>5} {event.at[11:19]} {event.kind:<8} {what}".replace("\n", "\\n") + "\n"
