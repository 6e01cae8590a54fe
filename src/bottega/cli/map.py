"""`bottega map`."""

from __future__ import annotations

import sys
from typing import Any

import click

from bottega.cli.options import format_option, settings_options
from bottega.cli.plain import complain, json_text, plain


@click.command("map", short_help="An overview of the repository within a budget of tokens.")
@click.option("--tokens", type=click.IntRange(64, 1_000_000), default=1024, show_default=True, help="The budget.")
@click.option("--path", "folder", metavar="FOLDER", default="", help="Only below this folder.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@format_option()
@settings_options
def map_(tokens: int, folder: str, no_refresh: bool, form: str, **shared: Any) -> int:
    """Show the files that the others use most, each with the definitions that others lean on."""
    from bottega.cli.knowledge import knowledge
    from bottega.index.freshness import freshness
    from bottega.retrieve.overview import repository_map

    with knowledge(shared, refresh=not no_refresh) as opened:
        drawn = repository_map(opened.snapshot, tokens=tokens, folder=folder)
        fresh = freshness(opened.snapshot.connection, is_current=opened.is_current)
    if form == "json":
        files = [{"path": f.path, "weight": f.weight, "symbols": [s._asdict() for s in f.symbols]} for f in drawn.files]
        data = {"files": files, "left_out": drawn.left_out, "tokens": drawn.tokens, "freshness": fresh.as_json()}
        sys.stdout.write(json_text(data))
        return 0
    sys.stdout.write(plain(str(drawn)))
    complain(f"about {drawn.tokens} tokens; index: {fresh}\n")
    return 0
