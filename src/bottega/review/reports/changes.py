"""The change on a page: files with highlighted hunks, and each finding after the last of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from bottega.pages import escape_name, highlight_lines, render_folding
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.review.reports.cards import list_findings, render_card
from bottega.source import Diff, FileChange, Hunk

_KINDS = {"+": "added", "-": "removed", " ": "same"}
_COLUMNS = '<colgroup><col class="at"><col class="at"><col class="sign"><col></colgroup>'
_FEW = 3
_MOST_SECONDS = 10.0


def render_files(report: ReviewReport, diff: Diff) -> Iterator[str]:
    """Every file of the review, then the findings about files that the change does not touch.

    Hunks after the deadline are shown without highlighting.
    """
    files = [file for file in diff.files if file.path in report.paths]
    order = list_findings(report)
    yield '<section id="files"><h2>Files</h2>'
    if len(files) > _FEW:
        yield from _render_contents(files, order)
        yield render_folding()
    deadline = monotonic() + _MOST_SECONDS
    for number, file in enumerate(files, 1):
        yield from _render_file(report, file, number, order, deadline)
    yield "</section>"
    paths = {file.path for file in files}
    elsewhere = [finding for finding in order if finding.span.path not in paths]
    if elsewhere:
        yield '<section id="elsewhere"><h2>Findings outside the lines shown</h2>'
        yield from (render_card(finding, order) for finding in elsewhere)
        yield "</section>"


def _render_contents(files: list[FileChange], order: list[Finding]) -> Iterator[str]:
    yield '<ul class="contents">'
    for number, file in enumerate(files, 1):
        count = sum(finding.span.path == file.path for finding in order)
        noun = "finding" if count == 1 else "findings"
        found = f" · {count} {noun}" if count else ""
        yield (
            f'<li><a href="#file-{number}"><code>{escape_name(file.path)}</code></a> '
            f"<small>+{file.added} −{file.removed}{found}</small></li>"
        )
    yield "</ul>"


def _render_file(
    report: ReviewReport, file: FileChange, number: int, order: list[Finding], deadline: float
) -> Iterator[str]:
    findings = [finding for finding in order if finding.span.path == file.path]
    opened = " open" if findings or len(report.paths) <= _FEW else ""
    renamed = f" from {file.old_path}" if file.old_path not in ("", file.path) and file.status != "added" else ""
    about = " ".join(filter(None, (f"{file.status}{renamed}", report.classes.get(file.path, ""))))
    yield (
        f'<details class="file" id="file-{number}" data-file="{escape_name(file.path)}"{opened}>'
        f"<summary><code>{escape_name(file.path)}</code> "
        f"<small>{escape_name(about)} +{file.added} −{file.removed}</small></summary>"
    )
    if not file.hunks:
        yield f'<p class="soft">{"A binary file." if file.is_binary else "No lines changed."}</p>'
    left = {finding.id: finding for finding in findings}
    for hunk in file.hunks:
        caption = escape_name(f"{file.path} {hunk.header}")
        yield f'<table class="diff"><caption class="unseen">{caption}</caption>{_COLUMNS}<tbody>'
        yield f'<tr class="hunk"><td colspan="4">{escape_name(hunk.header)}</td></tr>'
        yield from _render_rows(file, hunk, left, order, path=file.path if monotonic() < deadline else "")
        yield "</tbody></table>"
    yield from (render_card(finding, order) for finding in left.values())
    yield "</details>"


def _render_rows(
    file: FileChange, hunk: Hunk, left: dict[str, Finding], order: list[Finding], *, path: str
) -> Iterator[str]:
    last = _find_last_lines(file, hunk, left)
    for at, (line, code) in enumerate(zip(hunk.lines, _highlight_hunk(hunk, path), strict=True)):
        yield (
            f'<tr class="{_KINDS[line.kind]}"><td class="at">{line.old or ""}</td><td class="at">{line.new or ""}</td>'
            f'<td class="sign">{line.kind.replace("-", "−")}</td><td><code>{code}</code></td></tr>'
        )
        for name in [name for name, place in last.items() if place == at]:
            yield f'<tr class="note"><td colspan="4">{render_card(left.pop(name), order)}</td></tr>'


def _find_last_lines(file: FileChange, hunk: Hunk, left: dict[str, Finding]) -> dict[str, int]:
    """The last row of the hunk that each finding is about."""
    last = {}
    for finding in left.values():
        rows = [
            at
            for at, line in enumerate(hunk.lines)
            if finding.span.first <= (line.old if file.status == "deleted" else line.new) <= finding.span.last
        ]
        if rows:
            last[finding.id] = rows[-1]
    return last


def _highlight_hunk(hunk: Hunk, path: str) -> list[str]:
    """The lines of a hunk as HTML: each side is highlighted as one text, because tokens span lines."""
    shown = [""] * len(hunk.lines)
    for kind in ("-", "+"):
        side = [at for at, line in enumerate(hunk.lines) if line.kind in (kind, " ")]
        code = "\n".join(hunk.lines[at].text for at in side)
        if side:
            for at, line in zip(side, highlight_lines(code, path, is_fragment=True), strict=True):
                shown[at] = line
    return shown
