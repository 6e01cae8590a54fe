"""`bottega doctor`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Check what is installed here, and say what is missing.")
@output_options()
@settings_options
def doctor(output: Output, **shared: Any) -> int:
    """Check git, the sandbox, extras, models, settings and the repository. Exit 1 when something is broken."""
    from bottega.workshop.doctor import DoctorRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, DoctorRequest()), output)
