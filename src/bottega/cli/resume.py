"""`bottega resume`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import follow, print_result
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import Output, output_options


@click.command(short_help="Continue a run that was cancelled, interrupted or failed.")
@click.argument("run_id", metavar="RUN")
@output_options()
@model_options
def resume(run_id: str, output: Output, **shared: Any) -> int:
    """Continue RUN (its id, a unique part of it, or `last`) where it stopped.

    Finished steps are not repeated, and finished model calls are not sent again.
    """
    with open_workshop(**shared) as workshop:
        result = follow(workshop.resume(run_id))
    return print_result(result, output)
