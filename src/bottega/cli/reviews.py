"""A review on the screen or as a file of one of its forms."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from bottega.cli.plain import complain, json_text, plain

if TYPE_CHECKING:
    from bottega.review import Report, Severity

FORMS = ("text", "json", "markdown", "html", "sarif", "github")


def rendered(report: Report, diff: str, form: str) -> str:
    from bottega.review.reading import parsed

    if form == "json":
        return json_text(report.as_json())
    if form == "sarif":
        from bottega.review.reports.sarif import sarif

        return sarif(report)
    if form == "markdown":
        from bottega.review.reports.markdown import markdown

        return plain(markdown(report))
    if form == "html":
        from bottega.review.reports.html import html

        return html(report, parsed(diff))
    if form == "github":
        from bottega.review.reports.github import github

        return github(report, parsed(diff))
    from bottega.review.reports.text import text

    return plain(text(report, parsed(diff)))


def deliver(report: Report, diff: str, form: str, *, asked_without_model: bool = False) -> int:
    """Print; the exit code is the verdict's, or that of the gate where one is named."""
    sys.stdout.write(rendered(report, diff, form))
    sys.stdout.flush()
    if report.id:
        complain(f"bottega: review {report.id} in .bottega/reviews/{report.id}\n")
    return exit_code(report, asked_without_model=asked_without_model)


def exit_code(report: Report, *, asked_without_model: bool = False) -> int:
    """4 for what is not settled, 1 for no, 0 for yes; a gate needs somebody who looked, unless none was wanted."""
    if not report.complete:
        return 4
    if report.fail_on:
        if report.at_least(cast("Severity", report.fail_on)):
            return 1
        looked = bool(report.panel) or asked_without_model or not report.paths
        return 0 if looked else 4
    return {"ACCEPT": 0, "REJECT": 1, "NEEDS_HUMAN": 4}[report.decision]
