"""`bottega show`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Show a symbol or a span of lines, with what uses it and what it uses.")
@click.argument("what")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def show(what: str, no_refresh: bool, output: Output, **shared: Any) -> int:
    """Show WHAT: a node key, a name, a path, or PATH:FIRST-LAST."""
    from bottega.retrieve import ShowRequest

    with open_workshop(**shared) as workshop:
        return print_result(
            call(workshop, ShowRequest(what=find_locations().read_location(what), refresh=not no_refresh)), output
        )
