"""A review as one page that needs nothing else: verdict and stamp, findings, the change with the findings beside it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from bottega.pages import (
    FILTER,
    FilterChoice,
    escape_name,
    escape_text,
    render_badge,
    render_figures,
    render_filter,
    render_line,
    render_page,
    render_prose,
    render_table,
)
from bottega.review.findings import SEVERITIES
from bottega.review.report import ReviewReport
from bottega.review.reports.cards import TRIAGES, WEIGHTS, list_findings, name_severity, render_entry
from bottega.review.reports.changes import render_files
from bottega.source import Diff

_DECISIONS = {
    "ACCEPT": ("good", "Accept"),
    "REJECT": ("worst", "Reject"),
    "NEEDS_HUMAN": ("warning", "Needs a human"),
}
_STATUSES = {"ran": "good", "failed": "worst", "not run": "unknown", "off": "unknown"}


def render_html(report: ReviewReport, diff: Diff) -> str:
    style = (resources.files("bottega.review.reports") / "page.css").read_text(encoding="utf-8")
    parts = [
        *_render_verdict(report),
        *_render_figures(report, diff),
        *_render_list(report),
        *render_files(report, diff),
        *_render_work(report),
        *_render_dropped(report),
        *_render_discussions(report),
    ]
    title = f"{_DECISIONS[report.decision][1]} · review {report.id}"
    return render_page(title, parts, kind="bottega review", skip_to="findings", style=style, scripts=(FILTER,))


def _render_verdict(report: ReviewReport) -> Iterator[str]:
    weight, words = _DECISIONS[report.decision]
    yield f'<header class="verdict {weight}"><h1>{render_badge(weight, words)}</h1>'
    yield (
        f'<p class="soft">{escape_name(report.origin)} · {escape_name(report.at[:16].replace("T", " "))}'
        f" · review {escape_name(report.id)}</p>"
    )
    if not report.complete:
        gaps = "".join(f"<li>{escape_text(gap)}</li>" for gap in report.gaps)
        yield f"<p><strong>This review is incomplete.</strong></p><ul>{gaps}</ul>"
    yield "<ul>" + "".join(f"<li>{render_line(reason)}</li>" for reason in report.reasons) + "</ul>"
    if report.questions:
        questions = "".join(f"<li>{escape_text(question)}</li>" for question in report.questions)
        yield f'<p>Questions for a person:</p><ul class="questions">{questions}</ul>'
    yield '<div class="stamp"><h2>What was checked, and by what</h2><ul>'
    for part in report.stamp:
        kind, _, what = part.partition(": ")
        yield f"<li><b>{escape_name(kind)}:</b> <span>{escape_text(what)}</span></li>"
    yield "</ul>"
    if report.static_only:
        yield "<p>No model took part: tools, rules, graph and history alone.</p>"
    yield '<p><a href="#work">Every check and reviewer</a></p></div></header>'
    if report.intent.strip():
        said = f"<pre>{escape_text(report.intent)}</pre>"
        yield f"<details><summary>What the author says</summary>{said}</details>"


def _render_figures(report: ReviewReport, diff: Diff) -> Iterator[str]:
    counts = {name: sum(finding.triage == name for finding in report.findings) for name in TRIAGES}
    files = [file for file in diff.files if file.path in report.paths]
    added, removed = (sum(getattr(file, name) for file in files) for name in ("added", "removed"))
    yield render_figures(
        [
            *(
                (kind if counts[name] else "", f"{counts[name]:,}", words.lower())
                for name, (kind, words) in TRIAGES.items()
            ),
            ("", f"{len(report.dropped):,}", "removed as invented"),
            ("", f"{len(report.paths):,}", "files"),
            ("", f"+{added:,} −{removed:,}", "lines"),
        ]
    )
    links = [("#findings", "Findings"), ("#files", "Files"), ("#work", "What was done")]
    links += [("#removed", "Removed findings")] if report.dropped else []
    links += [("#discussions", "Discussions")] if report.discussions else []
    shown = "".join(f'<a href="{target}">{words}</a>' for target, words in links)
    yield f'<nav class="jump" aria-label="Parts of this page">{shown}</nav>'


def _render_list(report: ReviewReport) -> Iterator[str]:
    findings = list_findings(report)
    yield '<section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>'
    if not findings:
        yield "<p>Nothing was found.</p>"
    choices = [FilterChoice(severity, WEIGHTS[severity], name_severity(severity)) for severity in SEVERITIES]
    yield render_filter("findings", choices, [(finding.severity, finding.span.path) for finding in findings])
    for triage, (_, words) in TRIAGES.items():
        entries = [render_entry(finding) for finding in findings if finding.triage == triage]
        if entries:
            yield f'<div class="group"><h3>{words}</h3><ol class="entries">{"".join(entries)}</ol></div>'
    yield "</section>"


def _render_work(report: ReviewReport) -> Iterator[str]:
    yield '<section id="work"><h2>What was done</h2>'
    yield render_table(
        "Checks by code",
        ("Check", "Status", "Detail"),
        (
            (escape_name(check.name), render_badge(_STATUSES[check.status], check.status), escape_text(check.detail))
            for check in report.checks
        ),
    )
    if report.panel:
        yield f"<h3>Reviewers</h3><p>{escape_text(report.independence)}</p>"
        yield render_table(
            "Reviewers and their models",
            ("Reviewer", "Model", "Portions", "Failed"),
            (
                (escape_name(line.name), escape_name(line.model), str(line.portions), str(line.failed or ""))
                for line in report.panel
            ),
            numbers=(2, 3),
        )
    if report.left_out:
        rows = ((f"<code>{escape_name(file.path)}</code>", escape_text(file.reason)) for file in report.left_out)
        yield "<h3>Not read</h3>" + render_table("Files that were not read", ("File", "Reason"), rows)
    yield "</section>"


def _render_dropped(report: ReviewReport) -> Iterator[str]:
    if report.dropped:
        rows = (
            (
                f"<code>{escape_name(str(dropped.finding.span))}</code>",
                render_line(dropped.finding.title),
                escape_text(dropped.reason),
            )
            for dropped in report.dropped
        )
        table = render_table("Removed findings", ("Place", "Finding", "Why it was removed"), rows)
        yield f'<section id="removed"><h2>Removed, because it does not fit the change</h2>{table}</section>'


def _render_discussions(report: ReviewReport) -> Iterator[str]:
    if report.discussions:
        yield '<section id="discussions"><h2>Discussions</h2>'
    for discussion in report.discussions:
        outcome = escape_name(f"{discussion.outcome} ({discussion.settled_by})")
        about = escape_name(discussion.finding)
        yield f'<h3>Discussion {escape_name(discussion.id)} of <a href="#{about}">{about}</a>: {outcome}</h3>'
        for argument in discussion.arguments:
            who = f"{argument.who}, {argument.role}, round {argument.round}: {argument.stance}"
            yield (
                f'<div class="argument"><p><b>{escape_name(who)}</b></p>'
                f'<div class="prose">{render_prose(argument.text)}</div></div>'
            )
        yield f"<p>{escape_text(discussion.reason)}</p>"
    if report.discussions:
        yield "</section>"
