"""`bottega graph`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options

_PICTURES = frozenset({"svg", "html"})
# A page is explored step by step and shows few nodes at first, so that it may hold more of them.
_DEPTHS = {"html": 3}
_LIMITS = {"html": 400}


@click.command(short_help="Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG, HTML.")
@click.argument("node")
@click.option("--depth", type=click.IntRange(0, 6), help="How many steps; default: 1, for html 3.")
@click.option(
    "--nodes", "limit", type=click.IntRange(1, 2000), help="The most nodes to show; default: 60, for html 400."
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
    help="Follow edges in this direction.",
)
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@output_options("text", "json", "mermaid", "svg", "html")
@settings_options
def graph(
    node: str,
    depth: int | None,
    limit: int | None,
    kinds: str,
    direction: Any,
    output: Output,
    no_refresh: bool,
    **shared: Any,
) -> int:
    """Show the neighbours of NODE: a node key, a name, or a path.

    The formats svg and html are pictures: `-o FILE.svg` for a document, `-o FILE.html` for a page to explore, which
    needs no network. Their links lead to files of the repository if the picture lies inside of it.
    """
    from bottega.retrieve import GraphRequest

    edges = tuple(kind.strip() for kind in kinds.split(",") if kind.strip())
    with open_workshop(**shared) as workshop:
        request = GraphRequest(
            node=find_locations().read_location(node),
            depth=_DEPTHS.get(output.form, 1) if depth is None else depth,
            limit=_LIMITS.get(output.form, 60) if limit is None else limit,
            edges=edges,
            direction=direction,
            refresh=not no_refresh,
        )
        result = call(workshop, request)
    if output.form not in _PICTURES:
        return print_result(result, output)
    return print_result(result, output, text=result.render_linked(output.form, _find_base(output.file)))


def _find_base(file: Path | None) -> str:
    """The way from the directory of a picture to the root; "" for a picture outside the repository."""
    root = find_locations().root.resolve()
    folder = file.resolve().parent if file is not None else root
    if folder == root or not folder.is_relative_to(root):
        return ""
    return f"{Path(os.path.relpath(root, folder)).as_posix()}/"
