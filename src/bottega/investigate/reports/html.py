"""An investigation as one page that needs nothing else: what it is, what should worry, a map, a tree that folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources

from bottega.investigate.entries import SEVERITIES, Flag
from bottega.investigate.report import DirectoryLine, Report
from bottega.investigate.reports.safe import safe
from bottega.investigate.reports.scanned import human
from bottega.investigate.reports.text import DROPPED, confidence, coverage
from bottega.investigate.reports.treemap import treemap
from bottega.investigate.units import shortened

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MOST = 12
_DEEPEST = 60
_LONGEST_LINE = 140
_REMARKABLE = frozenset({"partial", "skipped", "not looked at"})


def html(report: Report) -> str:
    style = (resources.files("bottega.investigate.reports") / "page.css").read_text(encoding="utf-8")
    name = report.target.rstrip("/").rpartition("/")[2] or "/"
    body = "\n".join(
        [
            *_head(report, name),
            *_tiles(report),
            *_flags(report),
            *_map(report),
            *_tree(report),
            *_words(report),
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


def _head(report: Report, name: str) -> Iterator[str]:
    yield f"<header><h1>{safe(name)}</h1>"
    yield f'<p class="brief">{safe(report.synthesis.brief)}</p>'
    who = report.model or "no model"
    yield f"<p><small>{safe(report.target)} · {safe(report.at[:16].replace('T', ' '))} · {safe(who)}</small></p>"
    if not report.complete:
        gaps = "".join(f"<li>{safe(gap)}</li>" for gap in report.gaps)
        yield f"<p><strong>This report is incomplete.</strong></p><ul>{gaps}</ul>"
    yield "</header>"


def _tiles(report: Report) -> Iterator[str]:
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


def _flags(report: Report) -> Iterator[str]:
    yield "<h2>What should worry</h2>"
    if not report.flags:
        yield "<p>Nothing was flagged.</p>"
    for severity in reversed(SEVERITIES):
        yield from (_flag(flag) for flag in report.flags if flag.severity == severity)
    if report.dropped_flags:
        yield f"<p><small>{report.dropped_flags} {DROPPED}.</small></p>"


def _flag(flag: Flag) -> str:
    place = str(flag.citation) if flag.citation else flag.path
    quote = flag.citation.quote if flag.citation else ""
    shown = f"<blockquote><code>{safe(quote)}</code></blockquote>" if quote else ""
    note = f"<p><em>{safe(flag.note)}</em></p>" if flag.note else ""
    by = f" <small>seen by {safe(flag.source)}</small>" if flag.source else ""
    return (
        f'<article class="{flag.severity}"><p><b>{flag.severity}</b> · <code>{safe(place)}</code>{by}</p>'
        f"<p>{safe(flag.finding)}</p>{shown}{note}</article>"
    )


def _map(report: Report) -> Iterator[str]:
    drawn = treemap(report.scan["cells"])
    if drawn:
        yield f"<h2>Sizes by language</h2>{drawn}"


def _tree(report: Report) -> Iterator[str]:
    yield "<h2>Directories</h2>"
    below: dict[str, list[DirectoryLine]] = {}
    lines = {line.path: line for line in report.directories}
    for line in report.directories:
        if line.path:
            below.setdefault(_nearest(line.path, lines), []).append(line)
    if "" in lines:
        yield from _folded(lines[""], below, report, 0)


def _nearest(path: str, lines: dict[str, DirectoryLine]) -> str:
    """The directory above that is in the report."""
    above = "/".join(path.split("/")[:_DEEPEST]) + "/" if path.count("/") > _DEEPEST else path
    if above != path and above in lines:
        return above
    while above:
        parts = above.rstrip("/").rpartition("/")[0]
        above = f"{parts}/" if parts else ""
        if above in lines:
            return above
    return ""


def _folded(line: DirectoryLine, below: dict[str, list[DirectoryLine]], report: Report, depth: int) -> Iterator[str]:
    mark = f' <span class="mark">{line.standing}</span>' if line.standing in _REMARKABLE else ""
    name = line.path.rstrip("/").rpartition("/")[2] or "."
    opened = " open" if depth < 2 else ""
    first = " ".join((line.summary or line.reason).split())
    is_long = len(first) > _LONGEST_LINE
    short = shortened(first, _LONGEST_LINE)
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
        yield from _folded(inner, below, report, depth + 1)
    yield "</details>"


def _words(report: Report) -> Iterator[str]:
    said = report.synthesis
    if said.detailed != said.brief:
        yield f'<h2>In detail</h2><div class="words">{safe(said.detailed)}</div>'
    if said.components:
        rows = "".join(
            f"<tr><td><b>{safe(one.name)}</b></td><td><code>{safe(one.path)}</code></td><td>{safe(one.role)}</td></tr>"
            for one in said.components
        )
        yield f"<h2>Components</h2><table><tbody>{rows}</tbody></table>"
    for title, lines in (
        ("Ways in", said.entry_points),
        ("Technologies", said.technologies),
        ("Data sets", said.datasets),
        ("Concerns", said.concerns),
    ):
        if lines:
            yield f"<h2>{title}</h2><ul>" + "".join(f"<li>{safe(line)}</li>" for line in lines) + "</ul>"


def _facts(report: Report) -> Iterator[str]:
    scan = report.scan
    if scan["languages"]:
        most = max(one["code"] for one in scan["languages"]) or 1
        rows = "".join(
            f"<tr><td>{safe(one['language'])}</td>{_numbers(one['files'], one['code'], one['comment'], one['blank'])}"
            f'<td><span class="bar"><i style="width:{100 * one["code"] // most}%"></i></span></td></tr>'
            for one in scan["languages"][:_MOST]
        )
        head = "<tr><th></th><th>files</th><th>code</th><th>comment</th><th>blank</th><th></th></tr>"
        yield f"<h2>Languages</h2><table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    yield from _table("Large files", ((human(one["bytes"]), one["path"]) for one in scan["large"][:_MOST]))
    yield from _table("Licences", ((one["licence"], one["path"]) for one in scan["licences"][:_MOST]))
    yield from _table("Entry points", ((one["why"], one["path"]) for one in scan["entry_points"][:_MOST]))
    yield from _table(
        "Copies",
        ((f"{human(one['wasted'])} in {one['copies']}", ", ".join(one["paths"])) for one in scan["duplicates"][:6]),
    )
    yield from _table(
        "Not looked into", ((f"{one['why']}, {human(one['bytes'])}", one["path"]) for one in scan["left_out"][:_MOST])
    )


def _numbers(*values: int) -> str:
    return "".join(f'<td class="number">{value:,}</td>' for value in values)


def _table(title: str, rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    made: Sequence[str] = [f"<tr><td>{safe(left)}</td><td><code>{safe(right)}</code></td></tr>" for left, right in rows]
    if made:
        yield f"<h2>{title}</h2><table><tbody>{''.join(made)}</tbody></table>"


def _foot(report: Report) -> Iterator[str]:
    rated = [one.confidence for one in report.directories if one.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {len(rated)} directories" if rated else "none given"
    reason = f" ({safe(report.synthesis.reason)})" if report.synthesis.reason else ""
    yield "<h2>How it was made</h2><ul>"
    yield f"<li>{report.turns} turns, {report.tokens:,} tokens; {report.known} directories were known already</li>"
    yield f"<li>Coverage: {coverage(report.coverage)}</li><li>Self-rated confidence: {own}</li>"
    yield f"<li>Report by {safe(report.synthesis.made_by)}{reason}</li></ul>"
