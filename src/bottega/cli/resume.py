"""`bottega resume`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.options import format_option, model_options, opened
from bottega.cli.results import deliver_finished


@click.command(short_help="Go on with a run that was interrupted or failed.")
@click.argument("run_id", metavar="RUN")
@format_option()
@model_options
def resume(run_id: str, form: str, **shared: Any) -> int:
    """Go on with RUN (its id, a unique part of it, or `last`) where it stopped.

    Steps that ended are not repeated, and model calls that were answered are not paid twice.
    """
    with opened(**shared) as workshop:
        finished = workshop.engine.resume(run_id)
    return deliver_finished(finished, form)
