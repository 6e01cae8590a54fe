"""`bottega review`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.inputs import read_diff
from bottega.cli.options import find_locations, model_options, open_workshop, settings_options
from bottega.cli.output import Output, output_options
from bottega.errors import InputError

SEVERITIES = ("HARSHLY_CRITICAL", "CRITICAL", "WARNING", "SUGGESTION")
FORMATS = ("text", "json", "markdown", "html", "sarif", "github")
_LARGEST_SEED = 2**32


@click.group(
    cls=DefaultGroup,
    default="run",
    takes_arguments=True,
    short_help="Review a change: a panel, a filter, a discussion, one verdict.",
)
def review() -> None:
    """Review a change and say ACCEPT, REJECT or NEEDS_HUMAN.

    Without a subcommand the working tree is reviewed against HEAD, `bottega review HEAD~1` reviews what changed since
    a commit, `bottega review A..B` a range; `bottega review run --help` lists the options.
    """


@review.command("run", short_help="Review a change; this is what `bottega review` does.")
@click.argument("change", required=False)
@click.option("--staged", is_flag=True, help="What is staged, instead of the working tree.")
@click.option("--from", "start", metavar="REV", help="What --to (default HEAD) did since it left REV.")
@click.option("--to", "end", metavar="REV", help="Together with --from.")
@click.option("--commit", metavar="REV", help="One commit, against its first parent.")
@click.option("--diff", "diff_file", metavar="FILE", help="A unified diff from a file, or - for standard input.")
@click.option("--path", "paths", multiple=True, metavar="PATTERN", help="Only these paths, as in .gitignore.")
@click.option("--message", metavar="TEXT", default="", help="What the author says about the change.")
@click.option("--pipeline", metavar="NAME", default="", help="Another pipeline, or its file.")
@click.option("--quick", is_flag=True, help="No discussion; the same table decides.")
@click.option("--no-model", is_flag=True, help="Only parsers, tools, rules, graph and history.")
@click.option(
    "--seed", type=click.IntRange(0, _LARGEST_SEED), help="Choose the panel with the seed of an earlier review."
)
@click.option("--budget", type=click.FloatRange(min=0, min_open=True), help="Dollars that the review may cost.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit 1 for findings at or above this, else 0.")
@output_options(*FORMATS)
@model_options
def run(
    change: str | None,
    staged: bool,
    start: str | None,
    end: str | None,
    commit: str | None,
    diff_file: str | None,
    paths: tuple[str, ...],
    message: str,
    pipeline: str,
    quick: bool,
    no_model: bool,
    seed: int | None,
    budget: float | None,
    fail_on: Any,
    output: Output,
    **shared: Any,
) -> int:
    """Review a change.

    CHANGE is a range (A..B: what B did since it left A) or a commit, tag or branch: what was done since, the working
    tree included. Without it and without an option, the working tree is reviewed against HEAD.

    Exit code 0 for ACCEPT, 1 for REJECT, 4 for NEEDS_HUMAN and whenever the review is incomplete. With --fail-on, 1
    when a kept finding is at or above the severity, otherwise 0.
    """
    from bottega.review import ReviewRequest

    _refuse_empty(change=change, commit=commit, start=start, end=end)
    since, start, end = _read_change(change, start, end)
    with open_workshop(**shared) as workshop:
        request = ReviewRequest(
            diff=read_diff(diff_file),
            commit=commit or "",
            since=since,
            start=start,
            end=end,
            staged=staged,
            message=message,
            paths=tuple(map(find_locations().read_location, paths)),
            pipeline=pipeline,
            quick=quick,
            no_model=no_model,
            seed=seed,
            budget=budget,
            fail_on=fail_on,
        )
        return print_result(call(workshop, request), output)


def _read_change(change: str | None, start: str | None, end: str | None) -> tuple[str, str, str]:
    """The commit to begin from, and the two ends of a range."""
    if change is None:
        return "", start or "", end or ""
    if start or end:
        raise InputError(f"{change!r} and --from/--to cannot be reviewed at once", hint="Give one of them.")
    left, dots, right = change.partition("..")
    if not dots:
        return change, "", ""
    return "", left or "HEAD", right.removeprefix(".") or "HEAD"


def _refuse_empty(**options: str | None) -> None:
    """Refuse an empty option value, which usually comes from an unset variable."""
    flags = {"change": "CHANGE", "start": "--from", "end": "--to", "commit": "--commit"}
    for name, value in options.items():
        if value is not None and not value.strip():
            raise InputError(f"{flags[name]} is empty", hint="Name a commit, or leave the option out.")


@review.command("list", short_help="Reviews of this repository.")
@output_options()
@settings_options
def list_reviews(output: Output, **shared: Any) -> int:
    """List reviews, the newest last."""
    from bottega.review import ReviewListRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ReviewListRequest()), output)


@review.command("show", short_help="An earlier review, in any form.")
@click.argument("name", metavar="ID", default="last")
@output_options(*FORMATS)
@settings_options
def show(name: str, output: Output, **shared: Any) -> int:
    """Show the review ID (`list` names them; its number, or `last`)."""
    from bottega.review import ReviewShowRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ReviewShowRequest(name=name)), output)


@review.command("explain", short_help="Why each finding was kept or removed.")
@click.argument("name", metavar="ID", default="last")
@output_options()
@settings_options
def explain(name: str, output: Output, **shared: Any) -> int:
    """Explain every finding of the review ID, or one with ID/finding, e.g. `last/f002`."""
    from bottega.review import ReviewExplainRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ReviewExplainRequest(name=name)), output)


@review.command("diff", short_help="What changed since the review before: fixed, still there, new.")
@click.argument("name", metavar="ID", default="last")
@output_options()
@settings_options
def compare(name: str, output: Output, **shared: Any) -> int:
    """Compare the findings of the review ID with those of the review before it."""
    from bottega.review import ReviewCompareRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(ReviewCompareRequest(name=name)), output)


@review.command("dismiss", short_help="Record that a finding is not a bug.")
@click.argument("name", metavar="ID/FINDING")
@click.option("--because", metavar="TEXT", default="", help="Why it is no bug; needed unless --undo.")
@click.option("--scope", metavar="PATTERN", default="", help="Where it holds; default: the file itself.")
@click.option("--days", type=click.IntRange(1, 3650), help="For how long; default: review.dismissal_days.")
@click.option("--undo", is_flag=True, help="Revoke dismissals of this finding.")
@output_options()
@settings_options
def dismiss(name: str, because: str, scope: str, days: int | None, undo: bool, output: Output, **shared: Any) -> int:
    """Dismiss FINDING of the review ID, e.g. `bottega review dismiss last/f002 --because "checked by the caller"`.

    The dismissal applies to this file (or --scope) until it expires, and records your name. A finding whose lines no
    longer exist cannot be dismissed: it was probably fixed.
    """
    from bottega.review import ReviewDismissRequest

    request = ReviewDismissRequest(name=name, because=because, scope=scope, days=days or 0, undo=undo)
    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(request), output)
