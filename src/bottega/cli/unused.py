"""`bottega unused`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="List definitions that nothing uses, with how sure that is.")
@click.argument("path", default="")
@click.option(
    "--confidence",
    type=click.Choice(["high", "medium", "low"]),
    default="medium",
    show_default=True,
    help="List from this confidence on.",
)
@click.option("-k", "--limit", type=click.IntRange(1, 100_000), default=200, show_default=True, help="How many.")
@click.option("--check", is_flag=True, help="Exit with 1 where something is listed.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def unused(path: str, confidence: Any, limit: int, check: bool, no_refresh: bool, output: Output, **shared: Any) -> int:
    """List functions, types and constants, below PATH or everywhere, that nothing uses."""
    from bottega.retrieve import UnusedRequest

    with open_workshop(**shared) as workshop:
        request = UnusedRequest(
            path=find_locations().read_path(path),
            confidence=confidence,
            limit=limit,
            check=check,
            refresh=not no_refresh,
        )
        return print_result(call(workshop, request), output)
