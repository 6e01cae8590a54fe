"""`bottega init`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT


@click.command(short_help="Detect models and write a short bottega.toml.")
@click.option("--force", is_flag=True, help="Overwrite an existing bottega.toml.")
@click.option("--model", metavar="ID", default="", help="Write this model instead of looking for one.")
@settings_options
def init(force: bool, model: str, **shared: Any) -> int:
    """Look for model servers on this machine, embedded weights and keys, and write a short, commented bottega.toml."""
    from bottega.workshop.configuration import InitRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, InitRequest(force=force, model=model)), TEXT)
