"""`bottega config`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options


@click.group(cls=DefaultGroup, default="show", short_help="Show and check settings.")
def config() -> None:
    """Settings come from your own file, the repository's, variables and flags; later ones win. Alone, it shows them."""


@config.command("show", short_help="Every value with its source.")
@output_options()
@settings_options
def show(output: Output, **shared: Any) -> int:
    """Print every value with its source. Secrets are never shown."""
    from bottega.workshop.configuration import ConfigRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, ConfigRequest()), output)


@config.command("check", short_help="Check all settings.")
@settings_options
def check(**shared: Any) -> int:
    """Check every source of settings and the pipelines they name. Exit code 2 when something is wrong."""
    from bottega.workshop.configuration import ConfigCheckRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, ConfigCheckRequest()), TEXT)
