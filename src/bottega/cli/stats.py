"""`bottega stats`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from bottega.cli.options import format_option, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain

_BAR = 30
_MOST_SHOWN = 20


@click.command(short_help="What the knowledge base holds.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@format_option()
@settings_options
def stats(no_refresh: bool, form: str, **shared: Any) -> int:
    """Show what the knowledge base holds: files, languages, symbols, edges, history and size."""
    from bottega.cli.knowledge import knowledge
    from bottega.index.freshness import freshness
    from bottega.index.knowledge import KnowledgeBase
    from bottega.index.rows import kept_as_text

    with knowledge(shared, refresh=not no_refresh) as opened:
        base = KnowledgeBase(opened.snapshot.connection)
        overview = base.get_repo_overview()
        tallies = base.get_tallies()
        kept = kept_as_text(opened.snapshot.connection)
        fresh = freshness(opened.snapshot.connection, is_current=opened.is_current)
        size = sum(file.stat().st_size for file in opened.keeper.place.folder.rglob("*") if file.is_file())
    if form == "json":
        data = {**asdict(overview), **tallies, "bytes": size, "kept_as_text": kept, "freshness": fresh.as_json()}
        sys.stdout.write(json_text(data))
        return 0
    write = sys.stdout.write
    write(f"{overview.files} files, {overview.symbols} symbols, {overview.edges} edges, {overview.commits} commits\n")
    for title, counts in (
        ("languages", overview.languages),
        ("roles", overview.roles),
        ("symbols", tallies["symbol_kinds"]),
        ("edges", tallies["edge_kinds"]),
        ("resolved", tallies["edge_hows"]),
    ):
        write(plain(_bars(title, counts)))
    if overview.most_connected:
        write("\nmost used files\n")
        for path, count in overview.most_connected:
            write(one_line(f"  {count:>6}  {path}") + "\n")
    text = [f"{name} {c.as_text}/{c.files}" for name, c in fresh.coverage.items() if c.as_text and name != "other"]
    if text:
        write(plain(f"\nread as text only: {', '.join(text)}\n"))
    if kept:
        write(f"\nkept as text, over the budget of one file: {len(kept)}\n")
        for path, why in kept[:_MOST_SHOWN]:
            write(one_line(f"  {path}: {why}") + "\n")
        if len(kept) > _MOST_SHOWN:
            write(f"  … and {len(kept) - _MOST_SHOWN} more\n")
    write(f"\nthe index takes {size / 1e6:.1f} MB\n")
    complain(f"index: {fresh}\n")
    return 0


def _bars(title: str, counts: Mapping[str, int]) -> str:
    most = max(counts.values(), default=1)
    lines = [f"\n{title}"]
    for name, count in counts.items():
        lines.append(f"  {count:>7}  {(name or 'other'):<18} {'█' * max(1, _BAR * count // most)}")
    return "\n".join(lines) + "\n"
