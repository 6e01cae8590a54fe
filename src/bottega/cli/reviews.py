"""A review on the screen or as a file of one of its forms."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from bottega.cli.plain import complain, plain

if TYPE_CHECKING:
    from bottega.review import Report, Severity

FORMS = ("text", "json", "markdown", "html", "sarif", "github")


def rendered(report: Report, diff: str, form: str) -> str:
    from bottega.review.reading import parsed

    if form == "json":
        return json.dumps(report.as_json(), ensure_ascii=False) + "\n"
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


def deliver(report: Report, diff: str, form: str, fail_on: Severity | None = None) -> int:
    """Print; the exit code is the verdict's, or that of the gate where one is named."""
    sys.stdout.write(rendered(report, diff, form))
    sys.stdout.flush()
    if report.id:
        complain(f"bottega: review {report.id} in .bottega/reviews/{report.id}\n")
    return exit_code(report, fail_on)


def exit_code(report: Report, fail_on: Severity | None) -> int:
    """4 for what is not settled, 1 for no, 0 for yes."""
    if not report.complete:
        return 4
    if fail_on is not None:
        return 1 if report.at_least(fail_on) else 0
    return {"ACCEPT": 0, "REJECT": 1, "NEEDS_HUMAN": 4}[report.decision]
