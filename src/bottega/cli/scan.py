"""`bottega scan`."""

from __future__ import annotations

from pathlib import Path

import click

from bottega.cli.calling import call, print_result, refuse_bad_output
from bottega.cli.inputs import resolve_directory
from bottega.cli.investigate import tree_options
from bottega.cli.options import format_option, open_workshop


@click.command(short_help="Scan a directory without a model.")
@click.argument("target", metavar="[DIR]", default=".")
@tree_options
@click.option("-d", "--depth", type=click.IntRange(0, 50), default=2, help="Levels of the tree.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@format_option()
def scan(
    target: str,
    exclude: tuple[str, ...],
    everything: bool,
    no_hidden: bool,
    depth: int,
    output: Path | None,
    form: str,
) -> int:
    """Look at DIR (default: here): tree, kinds, languages with lines of code, sizes, copies, likely secrets, licences.

    No model is asked, no other program is run, no link is followed, and nothing is written.
    """
    from bottega.investigate import ScanRequest

    directory = resolve_directory(target)
    refuse_bad_output(output)
    request = ScanRequest(target=directory, exclude=exclude, everything=everything, hidden=not no_hidden, depth=depth)
    with open_workshop(directory, is_exact=True) as workshop:
        result = call(workshop, request)
    return print_result(result, form, output=output)
