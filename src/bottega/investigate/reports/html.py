"""An investigation as one HTML page without scripts or external files: summary, flags, tree map, directory tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources

from bottega.investigate.entries import SEVERITIES, Flag
from bottega.investigate.report import DirectoryReport, InvestigationReport
from bottega.investigate.reports.safe import safe
from bottega.investigate.reports.scanned import human
from bottega.investigate.reports.text import DROPPED, confidence, coverage
from bottega.investigate.reports.treemap import treemap
from bottega.investigate.units import fit_words

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MAX_ROWS = 12
_MAX_DEPTH = 60
_MAX_LINE_CHARS = 140
_MARKED = frozenset({"partial", "skipped", "not looked at"})


def html(report: InvestigationReport) -> str:
    style = (resources.files("bottega.investigate.reports") / "page.css").read_text(encoding="utf-8")
    name = report.target.rstrip("/").rpartition("/")[2] or "/"
    body = "\n".join(
        [
            *_head(report, name),
            *_tiles(report),
            *_flags(report),
            *_map(report),
            *_tree(report),
            *_details(report),
            *_facts(report),
            *_foot(report),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(name)} · investigation</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(report: InvestigationReport, name: str) -> Iterator[str]:
    yield f"<header><h1>{safe(name)}</h1>"
    yield f'<p class="brief">{safe(report.synthesis.brief)}</p>'
    who = report.model or "no model"
    yield f"<p><small>{safe(report.target)} · {safe(report.at[:16].replace('T', ' '))} · {safe(who)}</small></p>"
    if not report.complete:
        gaps = "".join(f"<li>{safe(gap)}</li>" for gap in report.gaps)
        yield f"<p><strong>This report is incomplete.</strong></p><ul>{gaps}</ul>"
    yield "</header>"


def _tiles(report: InvestigationReport) -> Iterator[str]:
    counts = {severity: sum(flag.severity == severity for flag in report.flags) for severity in reversed(SEVERITIES)}
    read = report.coverage
    tiles = [
        *((name, str(count), name) for name, count in counts.items()),
        ("", f"{report.scan['files']:,}", "files"),
        ("", f"{report.scan['directories']:,}", "directories"),
        ("", human(report.scan["bytes"]), "size"),
        *(
            [("", f"{read.of_files:.0%}", "of files read"), ("", f"{read.of_bytes:.0%}", "of bytes read")]
            if report.model
            else []
        ),
    ]
    yield '<section class="tiles">'
    yield "".join(f'<div class="tile {kind}"><b>{value}</b><span>{words}</span></div>' for kind, value, words in tiles)
    yield "</section>"


def _flags(report: InvestigationReport) -> Iterator[str]:
    yield "<h2>What should worry</h2>"
    if not report.flags:
        yield "<p>Nothing was flagged.</p>"
    for severity in reversed(SEVERITIES):
        yield from (_flag(flag) for flag in report.flags if flag.severity == severity)
    if report.dropped_flags:
        yield f"<p><small>{report.dropped_flags} {DROPPED}.</small></p>"


def _flag(flag: Flag) -> str:
    place = flag.place
    quote = flag.citation.quote if flag.citation else ""
    shown = f"<blockquote><code>{safe(quote)}</code></blockquote>" if quote else ""
    note = f"<p><em>{safe(flag.note)}</em></p>" if flag.note else ""
    by = f" <small>seen by {safe(flag.source)}</small>" if flag.source else ""
    return (
        f'<article class="{flag.severity}"><p><b>{flag.severity}</b> · <code>{safe(place)}</code>{by}</p>'
        f"<p>{safe(flag.finding)}</p>{shown}{note}</article>"
    )


def _map(report: InvestigationReport) -> Iterator[str]:
    drawn = treemap(report.scan["cells"])
    if drawn:
        yield f"<h2>Sizes by language</h2>{drawn}"


def _tree(report: InvestigationReport) -> Iterator[str]:
    yield "<h2>Directories</h2>"
    below: dict[str, list[DirectoryReport]] = {}
    lines = {line.path: line for line in report.directories}
    for line in report.directories:
        if line.path:
            below.setdefault(_parent_in_report(line.path, lines), []).append(line)
    if "" in lines:
        yield from _directory_tree(lines[""], below, report, 0)


def _parent_in_report(path: str, lines: dict[str, DirectoryReport]) -> str:
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


def _directory_tree(
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
        f'<details class="dir"{opened}><summary><b>{safe(name)}/</b>{mark} <span{kind}>{safe(short)}</span> '
        f"<small>{line.files:,} files, {human(line.bytes)}</small></summary>"
    )
    if is_long:
        yield f"<p>{safe(first)}</p>"
    if line.summary and report.model:
        rated = f"confidence {confidence(line.confidence)}, completeness {confidence(line.completeness)}"
        doubt = f"; in doubt: {safe(line.doubt)}" if line.doubt else ""
        yield f"<p><small>{coverage(line.coverage)}; {rated}{doubt}</small></p>"
    for path, summary in report.files.items():
        if path.rpartition("/")[0] == line.path.rstrip("/"):
            yield f'<div class="leaf"><code>{safe(path.rpartition("/")[2])}</code> {safe(summary)}</div>'
    for inner in below.get(line.path, ()):
        yield from _directory_tree(inner, below, report, depth + 1)
    yield "</details>"


def _details(report: InvestigationReport) -> Iterator[str]:
    synthesis = report.synthesis
    if synthesis.detailed != synthesis.brief:
        yield f'<h2>In detail</h2><div class="words">{safe(synthesis.detailed)}</div>'
    if synthesis.components:
        rows = "".join(
            f"<tr><td><b>{safe(component.name)}</b></td><td><code>{safe(component.path)}</code></td><td>{safe(component.role)}</td></tr>"
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
            yield f"<h2>{title}</h2><ul>" + "".join(f"<li>{safe(line)}</li>" for line in lines) + "</ul>"


def _facts(report: InvestigationReport) -> Iterator[str]:
    scan = report.scan
    if scan["languages"]:
        most = max(row["code"] for row in scan["languages"]) or 1
        rows = "".join(
            f"<tr><td>{safe(row['language'])}</td>{_numbers(row['files'], row['code'], row['comment'], row['blank'])}"
            f'<td><span class="bar"><i style="width:{100 * row["code"] // most}%"></i></span></td></tr>'
            for row in scan["languages"][:_MAX_ROWS]
        )
        head = "<tr><th></th><th>files</th><th>code</th><th>comment</th><th>blank</th><th></th></tr>"
        yield f"<h2>Languages</h2><table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    yield from _table("Large files", ((human(file["bytes"]), file["path"]) for file in scan["large"][:_MAX_ROWS]))
    yield from _table("Licences", ((licence["licence"], licence["path"]) for licence in scan["licences"][:_MAX_ROWS]))
    yield from _table("Entry points", ((entry["why"], entry["path"]) for entry in scan["entry_points"][:_MAX_ROWS]))
    yield from _table(
        "Copies",
        (
            (f"{human(group['wasted'])} in {group['copies']}", ", ".join(group["paths"]))
            for group in scan["duplicates"][:6]
        ),
    )
    yield from _table(
        "Not looked into",
        ((f"{entry['why']}, {human(entry['bytes'])}", entry["path"]) for entry in scan["left_out"][:_MAX_ROWS]),
    )


def _numbers(*values: int) -> str:
    return "".join(f'<td class="number">{value:,}</td>' for value in values)


def _table(title: str, rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    cells: Sequence[str] = [
        f"<tr><td>{safe(left)}</td><td><code>{safe(right)}</code></td></tr>" for left, right in rows
    ]
    if cells:
        yield f"<h2>{title}</h2><table><tbody>{''.join(cells)}</tbody></table>"


def _foot(report: InvestigationReport) -> Iterator[str]:
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {len(rated)} directories" if rated else "none given"
    reason = f" ({safe(report.synthesis.reason)})" if report.synthesis.reason else ""
    yield "<h2>How it was made</h2><ul>"
    yield f"<li>{report.turns} turns, {report.tokens:,} tokens; {report.known} directories were known already</li>"
    yield f"<li>Coverage: {coverage(report.coverage)}</li><li>Self-rated confidence: {own}</li>"
    yield f"<li>Report by {safe(report.synthesis.made_by)}{reason}</li></ul>"
