"""`bottega similar`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Find clones of code, and code like it.")
@click.argument("what", default="")
@click.option("-k", "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many.")
@click.option("--path", "path", metavar="PATH", default="", help="Only below this folder, or paths like a pattern.")
@click.option(
    "--lines", type=click.IntRange(2, 600), default=6, show_default=True, help="Groups of at least so many lines."
)
@click.option("--clones", is_flag=True, help="Only clones and code of the same shape.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def similar(
    what: str, limit: int, path: str, lines: int, clones: bool, no_refresh: bool, output: Output, **shared: Any
) -> int:
    """Find code like WHAT: a name, a node key, PATH:LINE for the symbol there, or PATH:FIRST-LAST.

    Without WHAT, list the groups of clones of the whole repository.
    """
    from bottega.retrieve import SimilarRequest

    with open_workshop(**shared) as workshop:
        request = SimilarRequest(
            what=find_locations().read_location(what) if what else "",
            limit=limit,
            path=find_locations().read_path(path),
            lines=lines,
            clones=clones,
            refresh=not no_refresh,
        )
        return print_result(call(workshop, request), output)
