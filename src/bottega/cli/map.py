"""`bottega map`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command("map", short_help="An overview of the repository within a token budget.")
@click.option("--tokens", type=click.IntRange(64, 1_000_000), default=1024, show_default=True, help="The budget.")
@click.option("--path", "folder", metavar="FOLDER", default="", help="Only below this folder.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def map_(tokens: int, folder: str, no_refresh: bool, output: Output, **shared: Any) -> int:
    """Show the files that the others use most, each with the definitions that others use."""
    from bottega.retrieve import MapRequest

    with open_workshop(**shared) as workshop:
        return print_result(
            call(workshop, MapRequest(tokens=tokens, path=find_locations().read_path(folder), refresh=not no_refresh)),
            output,
        )
