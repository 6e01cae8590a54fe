"""`bottega graph`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import Output, output_options


@click.command(short_help="Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG.")
@click.argument("node")
@click.option("--depth", type=click.IntRange(0, 6), default=1, show_default=True, help="How many steps.")
@click.option(
    "--nodes", "limit", type=click.IntRange(1, 2000), default=60, show_default=True, help="The most nodes to show."
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
@output_options("text", "json", "mermaid", "svg")
@settings_options
def graph(
    node: str,
    depth: int,
    limit: int,
    kinds: str,
    direction: Any,
    output: Output,
    no_refresh: bool,
    **shared: Any,
) -> int:
    """Show the neighbours of NODE: a node key, a name, or a path."""
    from bottega.retrieve import GraphRequest

    edges = tuple(kind.strip() for kind in kinds.split(",") if kind.strip())
    with open_workshop(**shared) as workshop:
        request = GraphRequest(
            node=find_locations().read_location(node),
            depth=depth,
            limit=limit,
            edges=edges,
            direction=direction,
            refresh=not no_refresh,
        )
        result = call(workshop, request)
    return print_result(result, output)
