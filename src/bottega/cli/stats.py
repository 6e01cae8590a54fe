"""`bottega stats`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Show the size and content of the knowledge base.")
@click.option("-a", "--all", "everything", is_flag=True, help="Every language and file, where the text sums them up.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def stats(everything: bool, no_refresh: bool, output: Output, **shared: Any) -> int:
    """Show what the knowledge base holds: files, languages, symbols, edges, history and size."""
    from bottega.retrieve import StatsRequest

    with open_workshop(**shared) as workshop:
        result = call(workshop, StatsRequest(refresh=not no_refresh))
    return print_result(result, output, text=result.render(everything=everything))
