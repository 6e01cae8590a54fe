"""An investigation on the screen or as a file of one of its forms."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bottega.cli.plain import complain, json_text, plain
from bottega.errors import StorageError

if TYPE_CHECKING:
    from bottega.investigate import Order, Report
    from bottega.workshop import Workshop

FORMS = ("text", "json", "markdown", "html")


def rendered(report: Report, form: str, *, depth: int = 3) -> str:
    if form == "json":
        return json_text(report.model_dump(mode="json"))
    if form == "markdown":
        from bottega.investigate.reports.markdown import markdown

        return plain(markdown(report))
    if form == "html":
        from bottega.investigate.reports.html import html

        return html(report)
    from bottega.investigate.reports.text import text

    return plain(text(report, depth=depth))


def deliver(report: Report, form: str, *, depth: int = 3, output: Path | None = None) -> int:
    """Print or write; 1 when a flag is as grave as the person will not have it, else 4 when something is missing."""
    put(rendered(report, form, depth=depth), output)
    for gap in report.gaps:
        complain(f"bottega: incomplete: {gap}\n")
    if report.fails:
        return 1
    return 0 if report.complete else 4


def put(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}") from None
    complain(f"bottega: written to {output}\n")


def show_forecast(order: Order, workshop: Workshop, form: str, output: Path | None) -> int:
    """What an investigation would take, from the base scan and what is known already; one line, or JSON."""
    from bottega.investigate.estimating import estimated

    told = estimated(order, workshop.roster, workshop.investigations)
    put(json_text(told.as_json()) if form == "json" else f"{told}\n", output)
    return 0
