"""`bottega replay`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.options import format_option, opened, settings_options
from bottega.cli.progress import announce
from bottega.cli.results import deliver_finished
from bottega.errors import GateFailed, Incomplete, ModelError


@click.command(short_help="Carry a finished run out again from its records.")
@click.argument("run_id", metavar="RUN")
@format_option()
@settings_options
def replay(run_id: str, form: str, **shared: Any) -> int:
    """Carry RUN out again with its recorded replies, without a model, and compare byte for byte.

    Exit code 1 when the end differs: the prompts, the code or the records have changed.
    """
    with opened(**shared, look_for_models=False) as workshop:
        try:
            finished = workshop.engine.replay(run_id)
        except (Incomplete, ModelError) as error:
            raise GateFailed(f"the replay differs: {error}", hint=error.hint) from None
    announce(f"run {finished.run_id} replayed: equal")
    return deliver_finished(finished, form)
