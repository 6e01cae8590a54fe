"""`bottega replay`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import follow, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import Output, output_options
from bottega.cli.progress import print_remark
from bottega.errors import GateFailed, Incomplete, ModelError


@click.command(short_help="Execute a finished run again from its records.")
@click.argument("run_id", metavar="RUN")
@output_options()
@settings_options
def replay(run_id: str, output: Output, **shared: Any) -> int:
    """Execute RUN again with its recorded replies, without a model, and compare the final states.

    Exit code 1 when they differ: the prompts, the code or the records have changed.
    """
    with open_workshop(**shared) as workshop:
        handle = workshop.replay(run_id)
        try:
            result = follow(handle)
        except (Incomplete, ModelError) as error:
            raise GateFailed(f"the replay differs: {error}", hint=error.hint) from None
    print_remark(f"run {handle.id} replayed: equal")
    return print_result(result, output)
