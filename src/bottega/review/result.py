"""A review as doors show it: the report, the change it is about, and whether the change may pass."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel

from bottega.pipeline import Finished
from bottega.review.actions.ending import build_report
from bottega.review.findings import Severity
from bottega.review.gating import choose_gate
from bottega.review.published import PublishedReport, publish
from bottega.review.reading import parse_cached
from bottega.review.report import ReviewReport
from bottega.review.reports.github import render_github
from bottega.review.reports.html import render_html
from bottega.review.reports.markdown import render_markdown
from bottega.review.reports.sarif import render_sarif
from bottega.review.reports.text import render_text
from bottega.review.state import ReviewState
from bottega.verbs import Gate, VerbResult

FORMATS = ("text", "json", "markdown", "html", "sarif", "github")


class ReviewResult(VerbResult):
    """`fail_on` and `asked_without_model` are what was asked for: they decide whether the gate is passed."""

    formats: ClassVar[tuple[str, ...]] = FORMATS
    published: ClassVar[type[BaseModel]] = PublishedReport

    report: ReviewReport
    diff: str
    fail_on: Severity | None = None
    asked_without_model: bool = False

    @property
    def gate(self) -> Gate:
        return choose_gate(self.report, self.fail_on or "", asked_without_model=self.asked_without_model)

    @property
    def notes(self) -> tuple[str, ...]:
        name = self.report.id
        return (f"bottega: stored as review {name}; `bottega review show {name}` prints it again",) if name else ()

    def as_json(self) -> Any:
        return publish(self.report)

    def render(self, form: str = "text") -> str:
        report = self.report
        if form == "sarif":
            return render_sarif(report)
        if form == "markdown":
            return render_markdown(report)
        draw = {"html": render_html, "github": render_github}.get(form, render_text)
        return draw(report, parse_cached(self.diff))


def read_result(finished: Finished) -> ReviewResult:
    state = finished.state
    assert isinstance(state, ReviewState)
    report = build_report(state, finished.run_id, state.report)
    return ReviewResult(
        report=report,
        diff=state.diff,
        fail_on=report.fail_on or None,
        asked_without_model=state.asked_without_model,
    )
