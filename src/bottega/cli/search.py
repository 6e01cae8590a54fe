"""`bottega search`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.inputs import read_query
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options

_MODES = ("hybrid", "bm25", "semantic", "semantic_rerank")


@click.command(short_help="Search the code for a name, a question, or a whole issue.")
@click.argument("query", nargs=-1)
@click.option("-k", "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many files.")
@click.option(
    "--by",
    type=click.Choice(["file", "symbol"]),
    default="file",
    show_default=True,
    help="The best files with their best symbols, or the best symbols of all.",
)
@click.option("-C", "--context", type=click.IntRange(0, 1000), default=0, help="Lines around each line that is shown.")
@click.option("--full", is_flag=True, help="Print whole symbols.")
@click.option("--mode", type=click.Choice(_MODES), default="hybrid", show_default=True, help="How to rank.")
@click.option(
    "--fusion",
    type=click.Choice(["weighted", "rrf"]),
    default="weighted",
    show_default=True,
    help="How hybrid search joins its rankings.",
)
@click.option("--lang", "language", metavar="LANG", default="", help="Only files in this language.")
@click.option("--path", "path", metavar="PATH", default="", help="Only below this folder, or paths like a pattern.")
@click.option(
    "--kind", metavar="KIND", default="", help="Only symbols of a kind (class, function …) or code|test|docs|config."
)
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Read the query from a file, - for standard input.",
)
@click.option("--explain", is_flag=True, help="Show the score of each signal.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options()
@settings_options
def search(
    query: tuple[str, ...],
    limit: int,
    by: Any,
    context: int,
    full: bool,
    mode: Any,
    fusion: Any,
    language: str,
    path: str,
    kind: str,
    file: Path | None,
    explain: bool,
    no_refresh: bool,
    output: Output,
    **shared: Any,
) -> int:
    """Search the repository.

    QUERY may be a name, a question, or a whole issue with its traceback. The index is refreshed first; the last
    line on standard error says which state of the files it has.
    """
    from bottega.retrieve import SearchRequest

    text = read_query(query, file)
    with open_workshop(**shared) as workshop:
        request = SearchRequest(
            query=text,
            mode=mode,
            limit=limit,
            by=by,
            context=context,
            full=full,
            language=language,
            path=find_locations().read_path(path),
            kind=kind,
            fusion=fusion,
            refresh=not no_refresh,
        )
        result = call(workshop, request)
    return print_result(result, output, text=result.render(explain=explain, is_brief=not (context or full or explain)))
