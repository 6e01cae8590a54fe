"""`bottega scan`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bottega.cli.investigate import refuse_bad_output, resolved, tree_options
from bottega.cli.investigations import put
from bottega.cli.options import format_option
from bottega.cli.plain import complain, json_text, plain


@click.command(short_help="The base scan of a directory alone: no model, one walk.")
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
    from bottega.cli.progress import Bar
    from bottega.investigate.reports.scanned import scan_json, tree_text
    from bottega.investigate.reports.text import scan_text
    from bottega.investigate.scan import Options
    from bottega.investigate.scan import scan as carry_out

    place = resolved(target)
    refuse_bad_output(output)
    with Bar(sys.stderr) as bar:
        found = carry_out(
            place,
            Options(exclude, everything, hidden=not no_hidden),
            on_progress=lambda files, directories: bar.count(f"{files:,} files in {directories:,} directories"),
        )
    if form == "json":
        put(json_text(scan_json(found)), output)
    else:
        put(plain(scan_text(scan_json(found), tree_text(found, depth=depth, most=120))), output)
    if found.remark_count:
        complain(f"bottega: {found.remark_count} paths could not be read\n")
    return 4 if found.remark_count else 0
