"""`bottega graph`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from bottega.cli.options import settings_options
from bottega.cli.plain import complain, json_text, plain
from bottega.errors import InputError


@click.command(short_help="Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG.")
@click.argument("node")
@click.option("--depth", type=click.IntRange(0, 6), default=1, show_default=True, help="How many steps.")
@click.option(
    "--nodes", "most", type=click.IntRange(1, 2000), default=60, show_default=True, help="At most so many nodes."
)
@click.option(
    "--edges",
    "kinds",
    metavar="KINDS",
    default="",
    help="Only these kinds: calls,inherits,uses,refers,reads,writes,imports,tests,contains.",
)
@click.option(
    "--direction",
    type=click.Choice(["both", "in", "out"]),
    default="both",
    show_default=True,
    help="Along or against the arrows.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "mermaid", "svg"]), default="text", help="How to print."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file; .svg chooses the picture."
)
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@settings_options
def graph(
    node: str,
    depth: int,
    most: int,
    kinds: str,
    direction: str,
    form: str,
    output: Path | None,
    no_refresh: bool,
    **shared: Any,
) -> int:
    """Show what surrounds NODE: a node key, a name, or a path."""
    from bottega.cli.knowledge import knowledge
    from bottega.index.freshness import freshness
    from bottega.index.graph import Graph
    from bottega.retrieve.picture import as_mermaid, as_svg, as_text

    allowed = [kind.strip() for kind in kinds.split(",") if kind.strip()] or None
    with knowledge(shared, refresh=not no_refresh) as opened:
        walker = Graph(opened.snapshot.connection)
        start = walker.find(node)
        if not start:
            raise InputError(f"nothing here is called {node!r}", hint="Try `bottega search`.")
        found = walker.around(start, depth=depth, most=most, kinds=allowed, direction=direction)
        fresh = freshness(opened.snapshot.connection, is_current=opened.is_current)
    if output is not None and output.suffix == ".svg":
        form = "svg"
    if form == "json":
        shown = {
            "nodes": [n._asdict() for n in found.nodes],
            "edges": [e._asdict() for e in found.edges],
            "truncated": found.is_cut,
            "freshness": fresh.as_json(),
        }
        text = json_text(shown)
    else:
        text = {"text": as_text, "mermaid": as_mermaid, "svg": as_svg}[form](found)
    if output is None:
        sys.stdout.write(text if form in {"json", "svg"} else plain(text))
    else:
        output.write_text(text, encoding="utf-8")
        complain(f"wrote {output}\n")
    complain(f"index: {fresh}\n")
    return 0
