"""`bottega enrich`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import Output, output_options


@click.command(short_help="Have a model describe files: purpose, module, domain, concepts.")
@click.argument("paths", nargs=-1)
@click.option(
    "-n", "--limit", type=click.IntRange(0, 1_000_000), default=0, help="The most files to describe; 0 is all."
)
@click.option("--promote", is_flag=True, help="Copy the descriptions into the knowledge base; alone, it asks no model.")
@click.option("--estimate", is_flag=True, help="Tell files, tokens and minutes, and call no model.")
@output_options()
@model_options
def enrich(paths: tuple[str, ...], limit: int, promote: bool, estimate: bool, output: Output, **shared: Any) -> int:
    """Have a model describe the code files that have no description of their current content.

    Descriptions are stored in the journal. `--promote` copies those of the current content into the knowledge base,
    where search and other verbs use them. An error is stored with its file and does not end the run.
    """
    from bottega.enrich import EnrichEstimateRequest, EnrichRequest, PromoteRequest

    with open_workshop(**shared) as workshop:
        if promote and not paths and not limit and not estimate:
            return print_result(call(workshop, PromoteRequest()), output)
        if estimate:
            return print_result(call(workshop, EnrichEstimateRequest(paths=paths, limit=limit)), output)
        return print_result(call(workshop, EnrichRequest(paths=paths, limit=limit, promote=promote)), output)
