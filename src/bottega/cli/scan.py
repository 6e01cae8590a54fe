"""`bottega scan`."""

from __future__ import annotations

import click

from bottega.cli.calling import call, print_result
from bottega.cli.inputs import resolve_directory
from bottega.cli.investigate import tree_options
from bottega.cli.options import open_workshop
from bottega.cli.output import Output, output_options


@click.command(short_help="Scan a directory without a model.")
@click.argument("target", metavar="[DIR]", default=".")
@tree_options
@click.option("-d", "--depth", type=click.IntRange(0, 50), default=2, help="Levels of the tree.")
@output_options("text", "json", "html")
def scan(
    target: str,
    exclude: tuple[str, ...],
    everything: bool,
    no_hidden: bool,
    depth: int,
    output: Output,
) -> int:
    """Look at DIR (default: here): tree, kinds, languages with lines of code, sizes, copies, likely secrets, licences.

    No model is asked, no other program is run, no link is followed, and nothing is written.
    """
    from bottega.investigate import ScanRequest

    directory = resolve_directory(target)
    request = ScanRequest(target=directory, exclude=exclude, everything=everything, hidden=not no_hidden, depth=depth)
    with open_workshop(directory, is_exact=True) as workshop:
        result = call(workshop, request)
    return print_result(result, output)
