"""Findings on a page: an entry of the list, and a card that stands beside the lines."""

from __future__ import annotations

from bottega.amounts import plural
from bottega.pages import (
    escape_name,
    escape_text,
    highlight_lines,
    mark_filtered,
    render_badge,
    render_bar,
    render_line,
    render_prose,
)
from bottega.review.findings import Finding, Severity
from bottega.review.report import ReviewReport
from bottega.review.suggesting import extract_code

WEIGHTS: dict[Severity, str] = {
    "HARSHLY_CRITICAL": "worst",
    "CRITICAL": "grave",
    "WARNING": "warning",
    "SUGGESTION": "slight",
}
TRIAGES = {"must-fix": ("worst", "Must fix"), "verify": ("warning", "To verify"), "ignore": ("", "Of less weight")}


def list_findings(report: ReviewReport) -> list[Finding]:
    """All findings in the order of the page, the gravest first."""
    return [*report.open_findings(), *report.ignored_findings()]


def name_severity(severity: Severity) -> str:
    return severity.replace("_", " ").capitalize()


def render_entry(finding: Finding) -> str:
    """One line of the list: severity, title, place, how sure."""
    marked = mark_filtered(finding.severity, finding.span.path, is_listed=True)
    return (
        f"<li{marked}>{render_badge(WEIGHTS[finding.severity], name_severity(finding.severity))}"
        f'<div><a href="#{escape_name(finding.id)}">{render_line(finding.title)}</a>'
        f"<code>{escape_name(str(finding.span))}</code></div>"
        f'<span class="sure">{render_bar(finding.confidence / 100, f"{finding.confidence} % sure")}</span></li>'
    )


def render_card(finding: Finding, order: list[Finding]) -> str:
    """A finding with what it quotes and suggests, and links to those before and after it in the list."""
    weight = WEIGHTS[finding.severity]
    name = escape_name(finding.id)
    triage = escape_name(TRIAGES[finding.triage][1])
    said = f" · {len(finding.reviewers)} of {plural(len(finding.saw), 'reviewer')}" if finding.saw else ""
    return (
        f'<article id="{name}" class="card {weight}" aria-labelledby="{name}-title" tabindex="-1"'
        f"{mark_filtered(finding.severity, finding.span.path)}>"
        f'<p class="meta">{render_badge(weight, name_severity(finding.severity))} {triage}'
        f" · <code>{escape_name(str(finding.span))}</code></p>"
        f'<h4 id="{name}-title">{render_line(finding.title)}</h4>'
        f'<p class="soft">{render_bar(finding.confidence / 100, f"{finding.confidence} % sure")}{said}'
        f" · {escape_text(finding.why)}</p>"
        f'<div class="prose">{render_prose(finding.problem)}</div>'
        f"{_render_quotes(finding)}{_render_suggestion(finding)}{_render_steps(finding)}"
        f'<p class="around">{_render_neighbours(finding, order)}</p></article>'
    )


def _render_quotes(finding: Finding) -> str:
    if not finding.quotes:
        return ""
    shown = "".join(f"<pre>{_highlight(quote, finding)}</pre>" for quote in finding.quotes)
    return f"<figure><figcaption>Quoted</figcaption>{shown}</figure>"


def _render_suggestion(finding: Finding) -> str:
    """A suggestion as code or as prose; one that failed when it was tried is not shown."""
    if not finding.suggestion or finding.suggestion_check.startswith("does not fit"):
        return ""
    tried = f" ({escape_text(finding.suggestion_check)})" if finding.suggestion_check else ""
    code = extract_code(finding.suggestion)
    if code is None:
        return f'<p class="label">Suggestion{tried}</p><div class="prose">{render_prose(finding.suggestion)}</div>'
    instead = f"Suggestion instead of <code>{escape_name(str(finding.span))}</code>{tried}"
    return f"<figure><figcaption>{instead}</figcaption><pre>{_highlight(code, finding)}</pre></figure>"


def _highlight(code: str, finding: Finding) -> str:
    return "\n".join(highlight_lines(code, finding.span.path, is_fragment=True))


def _render_steps(finding: Finding) -> str:
    steps = "".join(
        f"<li>{escape_name(step.stage)}: {step.confidence} % {escape_text(step.why)}</li>" for step in finding.trace
    )
    return f'<details class="aside"><summary>How it came here</summary><ol>{steps}</ol></details>' if steps else ""


def _render_neighbours(finding: Finding, order: list[Finding]) -> str:
    at = order.index(finding)
    links = []
    if at:
        links.append(f'<a href="#{escape_name(order[at - 1].id)}">Previous finding</a>')
    if at + 1 < len(order):
        links.append(f'<a href="#{escape_name(order[at + 1].id)}">Next finding</a>')
    return " ".join([*links, '<a href="#findings">All findings</a>'])
