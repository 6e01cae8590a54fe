"""A review as one page that needs nothing else: the change with the findings beside their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from importlib import resources

from bottega.amounts import plural
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.review.suggesting import extract_code
from bottega.source import Diff, FileChange, Hunk

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(report: ReviewReport, diff: Diff) -> str:
    style = (resources.files("bottega.review.reports") / "page.css").read_text(encoding="utf-8")
    body = "\n".join(
        [
            *_render_head(report),
            *_render_tiles(report),
            *_render_index(report),
            *_render_files(report, diff),
            *_render_foot(report),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.decision)} · review {escape(report.id)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _render_head(report: ReviewReport) -> Iterator[str]:
    kind = report.decision.lower().replace("_", "-")
    yield f'<header class="{kind}"><h1>{escape(_describe_decision(report.decision))}</h1>'
    yield f"<p>{escape(report.origin)} · {escape(report.at[:16].replace('T', ' '))} · review {escape(report.id)}</p>"
    if not report.complete:
        yield "<p><strong>This review is incomplete.</strong></p>"
    if report.static_only:
        yield "<p>No model took part: tools, rules, graph and history alone.</p>"
    yield f"<p>{escape(report.checked_by)}</p>"
    yield "<ul>" + "".join(f"<li>{escape(reason)}</li>" for reason in report.reasons) + "</ul>"
    yield "".join(f"<p>? {escape(question)}</p>" for question in report.questions)
    yield "</header>"
    if report.intent.strip():
        yield f"<details><summary>What the author says</summary><pre>{escape(report.intent)}</pre></details>"


def _describe_decision(decision: str) -> str:
    return {"ACCEPT": "Accept", "REJECT": "Reject", "NEEDS_HUMAN": "Needs a human"}[decision]


def _render_tiles(report: ReviewReport) -> Iterator[str]:
    counts = {
        name: sum(finding.triage == name for finding in report.findings) for name in ("must-fix", "verify", "ignore")
    }
    tiles = [*counts.items(), ("removed as invented", len(report.dropped)), ("files", len(report.paths))]
    yield '<section class="tiles">'
    yield "".join(
        f'<div class="tile {escape(name)}"><b>{count}</b><span>{escape(name)}</span></div>' for name, count in tiles
    )
    yield "</section>"


def _render_index(report: ReviewReport) -> Iterator[str]:
    rows = [*report.open_findings(), *report.ignored_findings()]
    if not rows:
        return
    titles = "".join(f"<th>{title}</th>" for title in ("weight", "severity", "place", "finding", "sure"))
    yield f"<table><thead><tr>{titles}</tr></thead><tbody>"
    for finding in rows:
        yield (
            f'<tr class="{escape(finding.triage)}"><td>{escape(finding.triage)}</td><td>{escape(finding.severity)}</td>'
            f'<td><a href="#{escape(finding.id)}">{escape(str(finding.span))}</a></td><td>{escape(finding.title)}</td>'
            f'<td><span class="bar"><i style="width:{finding.confidence}%"></i></span> {finding.confidence} %</td></tr>'
        )
    yield "</tbody></table>"


def _render_files(report: ReviewReport, diff: Diff) -> Iterator[str]:
    for file in diff.files:
        if file.path not in report.paths:
            continue
        findings = [finding for finding in report.findings if finding.span.path == file.path]
        kind = report.classes.get(file.path, "")
        opened = " open" if findings or len(report.paths) <= 3 else ""
        yield (
            f'<details class="file"{opened}><summary><code>{escape(file.path)}</code> '
            f"<small>{escape(file.status)} {escape(kind)} +{file.added} −{file.removed}</small></summary>"
        )
        yield from _render_hunks(file, findings)
        yield "</details>"


def _render_hunks(file: FileChange, findings: list[Finding]) -> Iterator[str]:
    left = {finding.id: finding for finding in findings}
    for hunk in file.hunks:
        yield f'<table class="diff"><tbody><tr class="hunk"><td colspan="4">{escape(hunk.header)}</td></tr>'
        yield from _render_rows(file, hunk, left)
        yield "</tbody></table>"
    for finding in left.values():
        yield _render_card(finding)


def _render_rows(file: FileChange, hunk: Hunk, left: dict[str, Finding]) -> Iterator[str]:
    """The rows of a hunk; each finding follows the last of its lines in the hunk."""
    last = {}
    for finding in left.values():
        numbers = [
            at
            for at, line in enumerate(hunk.lines)
            if finding.span.first <= (line.old if file.status == "deleted" else line.new) <= finding.span.last
        ]
        if numbers:
            last[finding.id] = numbers[-1]
    kinds = {"+": "added", "-": "removed", " ": "same"}
    for at, line in enumerate(hunk.lines):
        yield (
            f'<tr class="{kinds[line.kind]}"><td>{line.old or ""}</td><td>{line.new or ""}</td>'
            f"<td>{line.kind}</td><td><code>{escape(line.text)}</code></td></tr>"
        )
        for name in [name for name, place in last.items() if place == at]:
            yield f'<tr class="note"><td colspan="4">{_render_card(left.pop(name))}</td></tr>'


def _render_card(finding: Finding) -> str:
    said = f" · {len(finding.reviewers)} of {plural(len(finding.saw), 'reviewer')}" if finding.saw else ""
    quotes = "".join(f"<blockquote><code>{escape(quote)}</code></blockquote>" for quote in finding.quotes)
    suggestion = ""
    if finding.suggestion and not finding.suggestion_check.startswith("does not fit"):
        tried = f" ({escape(finding.suggestion_check)})" if finding.suggestion_check else ""
        code = extract_code(finding.suggestion)
        said_so = (
            f"<pre>{escape(code)}</pre>" if code is not None else f"<p>{_render_code_spans(finding.suggestion)}</p>"
        )
        suggestion = f"<p>Suggestion{tried}:</p>{said_so}"
    steps = "".join(f"<li>{escape(step.stage)}: {step.confidence} % {escape(step.why)}</li>" for step in finding.trace)
    way = f"<details><summary>how it came here</summary><ol>{steps}</ol></details>" if steps else ""
    return (
        f'<article id="{escape(finding.id)}" class="{escape(finding.triage)}"><h3>{escape(finding.title)}</h3>'
        f"<p><b>{escape(finding.triage)}</b> · {escape(finding.severity)} · {escape(str(finding.span))} · "
        f"{finding.confidence} %{said} · {escape(finding.why)}</p><p>{_render_code_spans(finding.problem)}</p>"
        f"{quotes}{suggestion}{way}</article>"
    )


def _render_code_spans(text: str) -> str:
    """Escape the text, then render what is in backticks as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(text))


def _render_foot(report: ReviewReport) -> Iterator[str]:
    yield "<h2>What was done</h2><ul>"
    for check in report.checks:
        detail = f", {escape(check.detail)}" if check.detail else ""
        yield f"<li>{escape(check.name)}: {escape(check.status)}{detail}</li>"
    if report.independence:
        yield f"<li>panel: {escape(report.independence)}</li>"
    for line in report.panel:
        failed = f", {line.failed} failed" if line.failed else ""
        yield f"<li>{escape(line.name)}: {escape(line.model)}, {plural(line.portions, 'portion')}{failed}</li>"
    yield "".join(
        f"<li>not read: <code>{escape(file.path)}</code>, {escape(file.reason)}</li>" for file in report.left_out
    )
    yield "</ul>"
    if report.dropped:
        yield "<h2>Removed, because it does not fit the change</h2><ul>"
        yield "".join(
            f"<li>{escape(str(dropped.finding.span))} {escape(dropped.finding.title)}: {escape(dropped.reason)}</li>"
            for dropped in report.dropped
        )
        yield "</ul>"
    for discussion in report.discussions:
        outcome = f"{escape(discussion.outcome)} ({escape(discussion.settled_by)})"
        yield f"<h2>Discussion {escape(discussion.id)}: {outcome}</h2>"
        yield "".join(
            f"<p><b>{escape(said.who)}</b>, {escape(said.role)}, round {said.round}, {escape(said.stance)}: "
            f"{escape(said.text)}</p>"
            for said in discussion.arguments
        )
        yield f"<p>{escape(discussion.reason)}</p>"
