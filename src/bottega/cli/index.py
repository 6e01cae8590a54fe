"""`bottega index`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Index the repository, or refresh its index.")
@click.argument("directory", type=click.Path(path_type=Path), required=False)
@click.option("--rebuild", is_flag=True, help="Rebuild the index; analyses of unchanged content are reused.")
@click.option("--verify", is_flag=True, help="Check that the index equals a rebuilt one; exit 1 if not.")
@click.option("--graph", type=click.Path(path_type=Path), help="Load nodes and edges from graph.json or CSV.")
@click.option("--vectors", is_flag=True, help="Wait until every chunk is embedded.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Processes that read files.")
@click.option("--yes", is_flag=True, help="Do not ask before a directory without git is indexed.")
@output_options()
@settings_options
def index(
    directory: Path | None,
    rebuild: bool,
    verify: bool,
    graph: Path | None,
    vectors: bool,
    workers: int | None,
    yes: bool,
    output: Output,
    repo: Path,
    assignments: tuple[str, ...],
) -> int:
    """Read the repository: files, symbols, references, history and words.

    Only changed files are read again, and the result equals a rebuild. Every search refreshes the index first, so
    this verb is needed only for the first time, for large changes, or to verify.
    """
    from bottega.retrieve import IndexRequest, VerifyRequest

    request: Any = IndexRequest(rebuild=rebuild, graph=graph, vectors=vectors, workers=workers or 0)
    if verify:
        request = VerifyRequest(workers=workers or 0)
    with open_workshop(directory or repo, assignments, is_exact=directory is not None) as workshop:
        return print_result(call(workshop, request, is_confirmed=yes), output)
