"""`bottega show`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import format_option, open_workshop, settings_options


@click.command(short_help="Show a symbol or a span of lines, with what uses it and what it uses.")
@click.argument("what")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@format_option()
@settings_options
def show(what: str, no_refresh: bool, form: str, **shared: Any) -> int:
    """Show WHAT: a node key, a name, a path, or PATH:FIRST-LAST."""
    from bottega.retrieve import ShowRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, ShowRequest(what=what, refresh=not no_refresh)), form)
