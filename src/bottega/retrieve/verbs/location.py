"""The places that a person may name: a node, a name, a path, or lines of a file."""

from __future__ import annotations

import re
from difflib import get_close_matches

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.index import KnowledgeReader, Node
from bottega.source import Span

_SUGGESTED, _LIKENESS, _LIKENESS_OF_PATHS = 3, 0.7, 0.85


def find_nodes(what: str, reader: KnowledgeReader) -> list[Node]:
    """Every node of the name, or the lines as a node of their own. Raise `InputError` when nothing matches."""
    if found := reader.graph.find(what):
        return found
    try:
        span = Span.parse(what)
    except InputError:
        if reader.base.get_file_by_path(what.rpartition(":")[0].removeprefix("./")) is not None:
            raise
        span = None
    file = reader.base.get_file_by_path(span.path.removeprefix("./")) if span else None
    if span is None or file is None:
        raise InputError(f"nothing here is called {what!r}", hint=build_hint(what, reader))
    if span.first > max(file.lines, 1):
        raise InputError(f"{file.path} has {plural(file.lines, 'line')}", hint="Name lines that exist.")
    return [Node(str(span), "LINES", file.path, file.path, span.first, min(span.last, max(file.lines, 1)), 0)]


def build_hint(what: str, reader: KnowledgeReader) -> str:
    """What to try where nothing has the name."""
    names = _suggest_names(what, reader)
    meant = f"Did you mean {' or '.join(names)}? " if names else ""
    return f"{meant}Try `bottega search`; lines are written path:first-last."


def _suggest_names(what: str, reader: KnowledgeReader) -> list[str]:
    """Names and paths here that are nearly what was written."""
    path, _, lines = what.rpartition(":")
    written = path if path and lines.replace("-", "").isdigit() else what
    if "/" in written:
        return get_close_matches(
            written, [file.path for file in reader.base.get_files()], _SUGGESTED, _LIKENESS_OF_PATHS
        )
    owner, _, name = re.sub(r"::|#", ".", written).rpartition(".")
    names = get_close_matches(name, reader.base.get_similar_names(name), _SUGGESTED, _LIKENESS)
    if not owner:
        return names
    symbols = {s.qualified for near in names for s in reader.base.search_symbols_by_name(near) if s.name == near}
    return get_close_matches(f"{owner}.{name}", symbols, _SUGGESTED, _LIKENESS)


def find_spans(what: str, reader: KnowledgeReader) -> list[Span]:
    """The lines of every node of the name; a single line stands for the symbol around it."""
    spans = []
    for node in find_nodes(what, reader):
        if not node.path or not node.first:
            raise InputError(f"{node.key} has no lines here", hint="Name a symbol or lines of a file.")
        around = reader.base.get_symbol_at(node.path, node.first) if node.kind == "LINES" else None
        is_line = node.first == node.last
        spans.append(around.span if around and is_line else Span(node.path, node.first, node.last))
    return list(dict.fromkeys(spans))
