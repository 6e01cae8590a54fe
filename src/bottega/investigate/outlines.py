"""Outlines of source files: what each defines and imports, from the index's parsers."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.index import Analysis, Symbol, analyse_files
from bottega.investigate.files import TargetFiles
from bottega.investigate.scan.kinds import identify

_MAX_SYMBOLS, _MAX_IMPORTS, _MAX_LINE_CHARS = 60, 30, 200
_TIMEOUT_S = 10.0


def outline_files(files: TargetFiles, paths: Sequence[str]) -> dict[str, str]:
    """The outline of each file in a known language, parsed in a separate process because a parser may crash."""
    languages = {path: identify(path.rpartition("/")[2]).language for path in paths}
    readable = {path: language for path, language in languages.items() if language and files.exists(path)}
    found = analyse_files(files.root, readable, patience_s=_TIMEOUT_S)
    return {path: _render_outline(analysis) if analysis is not None else "" for path, analysis in found.items()}


def _render_outline(analysis: Analysis) -> str:
    lines = [f"{analysis.lines} lines"]
    if analysis.imports:
        names = list(dict.fromkeys(imported.module or imported.name for imported in analysis.imports))
        lines.append("imports " + ", ".join(names[:_MAX_IMPORTS]) + _count_rest(len(names), _MAX_IMPORTS))
    lines += [_describe_symbol(symbol)[:_MAX_LINE_CHARS] for symbol in analysis.symbols[:_MAX_SYMBOLS]]
    return "\n".join(lines) + _count_rest(len(analysis.symbols), _MAX_SYMBOLS)


def _describe_symbol(symbol: Symbol) -> str:
    """The beginning of its definition, with its kind where the definition does not say it."""
    indent = "  " if symbol.parent >= 0 else ""
    head = " ".join(symbol.signature.split()).rstrip(" :{") or symbol.name
    says_kind = symbol.kind in head.split() or symbol.kind in {"function", "method"}
    return f"{indent}{head if says_kind else f'{symbol.kind} {head}'} (line {symbol.first})"


def _count_rest(count: int, shown: int) -> str:
    return f" … and {count - shown} more" if count > shown else ""
