"""`bottega retrieve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.inputs import read_query
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Assemble the code that a model needs for a task, within a token budget.")
@click.argument("task", nargs=-1)
@click.option("--tokens", type=click.IntRange(64, 10_000_000), help="The budget; the window less the reserved tokens.")
@click.option("--window", type=click.IntRange(1), help="Context window of the model that will read it.")
@click.option("--reserved", type=click.IntRange(0), help="Tokens of the window that are not for context.")
@click.option("--with", "named", metavar="PATH|SYMBOL", multiple=True, help="What belongs to the task, too.")
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Read the task from a file, - for standard input.",
)
@click.option("--rerank", is_flag=True, help="Have the classifier role vote on the order of the first files.")
@click.option("--judge", is_flag=True, help="Have the classifier role judge the first symbols yes or no.")
@click.option("--explain", is_flag=True, help="Print every decision with its reason.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options("text", "json", "markdown")
@settings_options
def retrieve(
    task: tuple[str, ...],
    tokens: int | None,
    window: int | None,
    reserved: int | None,
    named: tuple[str, ...],
    file: Path | None,
    rerank: bool,
    judge: bool,
    explain: bool,
    no_refresh: bool,
    output: Output,
    **shared: Any,
) -> int:
    """Assemble what a model should read for a task.

    TASK may be a question, a request, or a whole issue with its traceback. Symbols are shown whole, what calls them by
    the calling lines, and the rest by signatures.
    """
    from bottega.retrieve import RetrieveRequest

    text = read_query(task, file)
    locations = find_locations()
    files = [locations.read_path(name) for name in named if "/" in name or Path(name).is_file()]
    symbols = [name for name in named if not ("/" in name or Path(name).is_file())]
    with open_workshop(**shared) as workshop:
        request = RetrieveRequest(
            task=text,
            files=tuple(files),
            symbols=tuple(symbols),
            tokens=tokens or 0,
            window=window or 0,
            reserved=reserved,
            rerank=rerank,
            judge=judge,
            refresh=not no_refresh,
        )
        result = call(workshop, request)
    return print_result(result, output, text=result.render(output.form, explain=explain))
