"""`bottega show`."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.cli.knowledge import Opened
    from bottega.index.graph import Node

_MOST_NEIGHBOURS = 12


@click.command(short_help="Show a symbol or a span of lines, with what uses it and what it uses.")
@click.argument("what")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@format_option()
@settings_options
def show(what: str, no_refresh: bool, form: str, **shared: Any) -> int:
    """Show WHAT: a node key, a name, a path, or PATH:FIRST-LAST."""
    from bottega.cli.knowledge import knowledge
    from bottega.index.freshness import freshness

    with knowledge(shared, refresh=not no_refresh) as opened:
        places = _places(what, opened)
        shown = [_described(node, opened) for node in places]
        fresh = freshness(opened.snapshot.connection, is_current=opened.is_current)
    if form == "json":
        sys.stdout.write(json_text({"places": shown, "freshness": fresh.as_json()}))
        return 0
    for place in shown:
        _print(place)
    complain(f"index: {fresh}\n")
    return 0


def _places(what: str, opened: Opened) -> list[Node]:
    from bottega.index.graph import Graph, Node
    from bottega.index.knowledge import KnowledgeBase
    from bottega.source import Span

    found = Graph(opened.snapshot.connection).find(what)
    if found:
        return found
    base = KnowledgeBase(opened.snapshot.connection)
    try:
        span = Span.parse(what)
    except InputError:
        if base.get_file_by_path(what.rpartition(":")[0].removeprefix("./")) is not None:
            raise
        span = None
    if span is not None:
        file = base.get_file_by_path(span.path.removeprefix("./"))
        if file is not None:
            if span.first > max(file.lines, 1):
                raise InputError(f"{file.path} has {file.lines} lines", hint="Name lines that exist.")
            return [Node(str(span), "LINES", file.path, file.path, span.first, min(span.last, max(file.lines, 1)), 0)]
    raise InputError(
        f"nothing here is called {what!r}", hint="Try `bottega search`; a place is written path:first-last."
    )


def _described(node: Node, opened: Opened) -> dict[str, Any]:
    from bottega.index.graph import Graph
    from bottega.index.knowledge import KnowledgeBase

    base = KnowledgeBase(opened.snapshot.connection)
    graph = Graph(opened.snapshot.connection)
    symbols = base.get_symbols_by_node(node.key)
    symbol = next((s for s in symbols if (s.path, s.first) == (node.path, node.first)), None)
    text = graph.text(node, opened.keeper.read)
    described: dict[str, Any] = {
        "node": node.key,
        "kind": node.kind,
        "path": node.path,
        "start_line": node.first,
        "end_line": node.last,
        "text": text,
    }
    if symbol is not None:
        described["signature"] = symbol.signature
        described["docstring"] = base.get_docstring(symbol.id)
        for name in ("callers", "callees"):
            described[name] = [
                {"kind": n.kind, "how": n.how, "confidence": n.confidence, "line": n.line, "path": n.path,
                 "node": n.symbol.node if n.symbol else n.path}
                for n in base.get_symbol_neighbors(symbol.id, name)
            ]  # fmt: skip
    file = base.get_file_by_path(node.path)
    commits = base.get_recent_commits_for_file(file.id, 1) if file is not None else []
    if commits:
        described["last_change"] = {
            "commit": commits[0].hash,
            "author": commits[0].author,
            "written": commits[0].written,
            "message": commits[0].message.split("\n")[0],
        }
    return described


def _print(place: dict[str, Any]) -> None:
    write = sys.stdout.write
    write(one_line(place["node"]) + "\n")
    if place["path"]:
        write(one_line(f"{place['path']}:{place['start_line']}-{place['end_line']}") + "\n")
    if change := place.get("last_change"):
        write(one_line(f"last changed {change['written'][:10]} by {change['author']}: {change['message']}") + "\n")
    for name, title in (("callers", "used by"), ("callees", "uses")):
        ends = Counter(
            one_line(f"{title}: {end['node']} ({end['kind']}, {end['how']}, {end['confidence']:g})")
            for end in place.get(name, [])
        )
        for line, times in list(ends.items())[:_MOST_NEIGHBOURS]:  # of several that share a name, one line
            write(f"{line} ×{times}\n" if times > 1 else f"{line}\n")
        if len(ends) > _MOST_NEIGHBOURS:
            write(f"{title}: … and {len(ends) - _MOST_NEIGHBOURS} more\n")
    for number, line in enumerate(place["text"].split("\n"), place["start_line"]):
        write(plain(f"{number:>6} {line}\n"))
    write("\n")
