"""An investigation as one HTML page without scripts or external files: summary, flags, tree map, directory tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES, Flag
from bottega.investigate.report import DirectoryReport, InvestigationReport
from bottega.investigate.reports.safe import escape_text
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.text import DROPPED, format_confidence, format_coverage
from bottega.investigate.reports.treemap import render_treemap
from bottega.investigate.units import fit_words

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MAX_ROWS = 12
_MAX_DEPTH = 60
_MAX_LINE_CHARS = 140
_MARKED = frozenset({"partial", "skipped", "not looked at"})


def render_html(report: InvestigationReport) -> str:
    style = (resources.files("bottega.investigate.reports") / "page.css").read_text(encoding="utf-8")
    name = report.target.rstrip("/").rpartition("/")[2] or "/"
    body = "\n".join(
        [
            *_render_head(report, name),
            *_render_tiles(report),
            *_render_flags(report),
            *_render_map(report),
            *_build_tree(report),
            *_render_details(report),
            *_render_facts(report),
            *_render_foot(report),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_text(name)} · investigation</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _render_head(report: InvestigationReport, name: str) -> Iterator[str]:
    yield f"<header><h1>{escape_text(name)}</h1>"
    yield f'<p class="brief">{escape_text(report.synthesis.brief)}</p>'
    who = report.model or "no model"
    when = report.at[:16].replace("T", " ")
    yield f"<p><small>{escape_text(report.target)} · {escape_text(when)} · {escape_text(who)}</small></p>"
    if not report.complete:
        gaps = "".join(f"<li>{escape_text(gap)}</li>" for gap in report.gaps)
        yield f"<p><strong>This report is incomplete.</strong></p><ul>{gaps}</ul>"
    yield "</header>"


def _render_tiles(report: InvestigationReport) -> Iterator[str]:
    counts = {severity: sum(flag.severity == severity for flag in report.flags) for severity in reversed(SEVERITIES)}
    read = report.coverage
    tiles = [
        *((name, str(count), name) for name, count in counts.items()),
        ("", f"{report.scan['files']:,}", "files"),
        ("", f"{report.scan['directories']:,}", "directories"),
        ("", format_size(report.scan["bytes"]), "size"),
        *(
            [("", f"{read.of_files:.0%}", "of files read"), ("", f"{read.of_bytes:.0%}", "of bytes read")]
            if report.model
            else []
        ),
    ]
    yield '<section class="tiles">'
    yield "".join(f'<div class="tile {kind}"><b>{value}</b><span>{words}</span></div>' for kind, value, words in tiles)
    yield "</section>"


def _render_flags(report: InvestigationReport) -> Iterator[str]:
    yield "<h2>What should worry</h2>"
    if not report.flags:
        yield "<p>Nothing was flagged.</p>"
    for severity in reversed(SEVERITIES):
        yield from (_render_flag(flag) for flag in report.flags if flag.severity == severity)
    if report.dropped_flags:
        yield f"<p><small>{report.dropped_flags} {DROPPED}.</small></p>"


def _render_flag(flag: Flag) -> str:
    place = flag.place
    quote = flag.citation.quote if flag.citation else ""
    shown = f"<blockquote><code>{escape_text(quote)}</code></blockquote>" if quote else ""
    note = f"<p><em>{escape_text(flag.note)}</em></p>" if flag.note else ""
    by = f" <small>seen by {escape_text(flag.source)}</small>" if flag.source else ""
    return (
        f'<article class="{flag.severity}"><p><b>{flag.severity}</b> · <code>{escape_text(place)}</code>{by}</p>'
        f"<p>{escape_text(flag.finding)}</p>{shown}{note}</article>"
    )


def _render_map(report: InvestigationReport) -> Iterator[str]:
    drawn = render_treemap(report.scan["cells"])
    if drawn:
        yield f"<h2>Sizes by language</h2>{drawn}"


def _build_tree(report: InvestigationReport) -> Iterator[str]:
    yield "<h2>Directories</h2>"
    below: dict[str, list[DirectoryReport]] = {}
    lines = {line.path: line for line in report.directories}
    for line in report.directories:
        if line.path:
            below.setdefault(_find_parent_in_report(line.path, lines), []).append(line)
    if "" in lines:
        yield from _render_directory_tree(lines[""], below, report, 0)


def _find_parent_in_report(path: str, lines: dict[str, DirectoryReport]) -> str:
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


def _render_directory_tree(
    line: DirectoryReport, below: dict[str, list[DirectoryReport]], report: InvestigationReport, depth: int
) -> Iterator[str]:
    mark = f' <span class="mark">{line.status}</span>' if line.status in _MARKED else ""
    name = line.path.rstrip("/").rpartition("/")[2] or "."
    opened = " open" if depth < 2 else ""
    first = " ".join((line.summary or line.reason).split())
    is_long = len(first) > _MAX_LINE_CHARS
    short = fit_words(first, _MAX_LINE_CHARS)
    kind = ' class="cut"' if is_long else ""
    yield (
        f'<details class="dir"{opened}><summary><b>{escape_text(name)}/</b>{mark} '
        f"<span{kind}>{escape_text(short)}</span> "
        f"<small>{plural(line.files, 'file')}, {format_size(line.bytes)}</small></summary>"
    )
    if is_long:
        yield f"<p>{escape_text(first)}</p>"
    if line.summary and report.model:
        rated = f"confidence {format_confidence(line.confidence)}, completeness {format_confidence(line.completeness)}"
        doubt = f"; in doubt: {escape_text(line.doubt)}" if line.doubt else ""
        yield f"<p><small>{format_coverage(line.coverage)}; {rated}{doubt}</small></p>"
    for path, summary in report.files.items():
        if path.rpartition("/")[0] == line.path.rstrip("/"):
            yield f'<div class="leaf"><code>{escape_text(path.rpartition("/")[2])}</code> {escape_text(summary)}</div>'
    for inner in below.get(line.path, ()):
        yield from _render_directory_tree(inner, below, report, depth + 1)
    yield "</details>"


def _render_details(report: InvestigationReport) -> Iterator[str]:
    synthesis = report.synthesis
    if synthesis.detailed != synthesis.brief:
        yield f'<h2>In detail</h2><div class="words">{escape_text(synthesis.detailed)}</div>'
    if synthesis.components:
        rows = "".join(
            f"<tr><td><b>{escape_text(component.name)}</b></td><td><code>{escape_text(component.path)}</code></td><td>{escape_text(component.role)}</td></tr>"
            for component in synthesis.components
        )
        yield f"<h2>Components</h2><table><tbody>{rows}</tbody></table>"
    for title, lines in (
        ("Ways in", synthesis.entry_points),
        ("Technologies", synthesis.technologies),
        ("Data sets", synthesis.datasets),
        ("Concerns", synthesis.concerns),
    ):
        if lines:
            yield f"<h2>{title}</h2><ul>" + "".join(f"<li>{escape_text(line)}</li>" for line in lines) + "</ul>"


def _render_facts(report: InvestigationReport) -> Iterator[str]:
    scan = report.scan
    if scan["languages"]:
        most = max(row["code"] for row in scan["languages"]) or 1
        rows = "".join(
            f"<tr><td>{escape_text(row['language'])}</td>"
            f"{_format_numbers(row['files'], row['code'], row['comment'], row['blank'])}"
            f'<td><span class="bar"><i style="width:{100 * row["code"] // most}%"></i></span></td></tr>'
            for row in scan["languages"][:_MAX_ROWS]
        )
        head = "<tr><th></th><th>files</th><th>code</th><th>comment</th><th>blank</th><th></th></tr>"
        yield f"<h2>Languages</h2><table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    yield from _render_table(
        "Large files", ((format_size(file["bytes"]), file["path"]) for file in scan["large"][:_MAX_ROWS])
    )
    yield from _render_table(
        "Licences", ((licence["licence"], licence["path"]) for licence in scan["licences"][:_MAX_ROWS])
    )
    yield from _render_table(
        "Entry points", ((entry["why"], entry["path"]) for entry in scan["entry_points"][:_MAX_ROWS])
    )
    yield from _render_table(
        "Copies",
        (
            (f"{format_size(group['wasted'])} in {group['copies']}", ", ".join(group["paths"]))
            for group in scan["duplicates"][:6]
        ),
    )
    yield from _render_table(
        "Not looked into",
        ((f"{entry['why']}, {format_size(entry['bytes'])}", entry["path"]) for entry in scan["left_out"][:_MAX_ROWS]),
    )


def _format_numbers(*values: int) -> str:
    return "".join(f'<td class="number">{value:,}</td>' for value in values)


def _render_table(title: str, rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    cells: Sequence[str] = [
        f"<tr><td>{escape_text(left)}</td><td><code>{escape_text(right)}</code></td></tr>" for left, right in rows
    ]
    if cells:
        yield f"<h2>{title}</h2><table><tbody>{''.join(cells)}</tbody></table>"


def _render_foot(report: InvestigationReport) -> Iterator[str]:
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {plural(len(rated), 'directory')}" if rated else "none given"
    reason = f" ({escape_text(report.synthesis.reason)})" if report.synthesis.reason else ""
    yield "<h2>How it was made</h2><ul>"
    spent = f"{plural(report.turns, 'turn')}, {plural(report.tokens, 'token')}"
    yield f"<li>{spent}; {plural(report.known, 'directory')} known already</li>"
    yield f"<li>Coverage: {format_coverage(report.coverage)}</li><li>Self-rated confidence: {own}</li>"
    yield f"<li>Report by {escape_text(report.synthesis.made_by)}{reason}</li></ul>"
