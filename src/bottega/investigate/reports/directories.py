"""The directories of an investigation as a tree that folds, with the summaries of directories and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bottega.investigate.report import DirectoryReport, InvestigationReport
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.text import format_confidence, format_coverage
from bottega.investigate.units import fit_words
from bottega.pages import escape_name, escape_text, render_folding, render_line

_MAX_DEPTH = 60
_MAX_LINE_CHARS = 140
_OPEN_LEVELS = 2
_MARKED = frozenset({"partial", "skipped", "not looked at"})


@dataclass(slots=True)
class _Tree:
    """Directories and summaries of files by the directory that they are in."""

    has_model: bool
    below: dict[str, list[DirectoryReport]] = field(default_factory=dict)
    files: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def render_directories(report: InvestigationReport) -> Iterator[str]:
    lines = {line.path: line for line in report.directories}
    if "" not in lines:
        return
    tree = _Tree(has_model=bool(report.model))
    for line in report.directories:
        if line.path:
            tree.below.setdefault(_find_parent(line.path, lines), []).append(line)
    for path, summary in report.files.items():
        folder, _, name = path.rpartition("/")
        tree.files.setdefault(f"{folder}/" if folder else "", []).append((name, summary))
    yield '<section id="directories"><h2>Directories</h2>'
    yield f'{render_folding("Arrow keys walk through the tree.")}<ul class="tree">'
    yield from _render_directory(lines[""], tree, 0)
    yield "</ul></section>"


def _find_parent(path: str, lines: dict[str, DirectoryReport]) -> str:
    """The nearest directory above a path that the report has; "" for the target."""
    above = "/".join(path.split("/")[:_MAX_DEPTH]) + "/" if path.count("/") > _MAX_DEPTH else path
    if above != path and above in lines:
        return above
    while above:
        parts = above.rstrip("/").rpartition("/")[0]
        above = f"{parts}/" if parts else ""
        if above in lines:
            return above
    return ""


def _render_directory(line: DirectoryReport, tree: _Tree, depth: int) -> Iterator[str]:
    mark = f' <span class="mark">{line.status}</span>' if tree.has_model and line.status in _MARKED else ""
    name = line.path.rstrip("/").rpartition("/")[2] or "."
    text = " ".join((line.summary or line.reason).split())
    short = fit_words(text, _MAX_LINE_CHARS)
    cut = ' class="cut"' if len(text) > _MAX_LINE_CHARS else ""
    opened = " open" if depth < _OPEN_LEVELS else ""
    yield (
        f"<li><details{opened}><summary><code>{escape_name(name)}/</code>{mark} "
        f"<small>{line.files:,} files, {format_size(line.bytes)}</small> "
        f"<span{cut}>{render_line(short)}</span></summary>"
    )
    if cut:
        yield f"<p>{render_line(text)}</p>"
    if line.summary and tree.has_model:
        yield f"<p><small>{_describe_rating(line)}</small></p>"
    files, below = tree.files.get(line.path, ()), tree.below.get(line.path, ())
    yield "<ul>" if files or below else ""
    for file, summary in files:
        yield f'<li class="leaf"><code>{escape_name(file)}</code> {render_line(summary)}</li>'
    for inner in below:
        yield from _render_directory(inner, tree, depth + 1)
    yield f"{'</ul>' if files or below else ''}</details></li>"


def _describe_rating(line: DirectoryReport) -> str:
    rated = f"confidence {format_confidence(line.confidence)}, completeness {format_confidence(line.completeness)}"
    doubt = f"; in doubt: {line.doubt}" if line.doubt else ""
    return escape_text(f"{format_coverage(line.coverage)}; {rated}{doubt}")
