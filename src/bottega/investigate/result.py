"""An investigation as doors show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from bottega.investigate.own import find_below
from bottega.investigate.report import InvestigationReport, build_report
from bottega.investigate.reports.html import render_html
from bottega.investigate.reports.markdown import render_markdown
from bottega.investigate.reports.text import render_text
from bottega.investigate.state import InvestigateState
from bottega.pipeline import Finished
from bottega.verbs import Gate, VerbResult

FORMATS = ("text", "json", "markdown", "html")


class InvestigateResult(VerbResult):
    """The gate fails for a flag at or above the severity of `fail_on`; it is incomplete where something was missed."""

    formats: ClassVar[tuple[str, ...]] = FORMATS
    published: ClassVar[type[BaseModel]] = InvestigationReport

    report: InvestigationReport
    own_reports: tuple[str, ...] = ()

    def is_own_report(self, file: Path) -> bool:
        """Whether a file below the target was taken for a report, and not for a part of it."""
        return find_below(Path(self.report.target), file) in self.own_reports

    @property
    def gate(self) -> Gate:
        if self.report.fails:
            return "failed"
        return "passed" if self.report.complete else "incomplete"

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"bottega: incomplete: {gap}" for gap in self.report.gaps)

    def as_json(self) -> Any:
        return self.report.model_dump(mode="json")

    def render(self, form: str = "text", *, depth: int = 3) -> str:
        if form == "markdown":
            return render_markdown(self.report)
        return render_html(self.report) if form == "html" else render_text(self.report, depth=depth)


def read_result(finished: Finished) -> InvestigateResult:
    state = finished.state
    assert isinstance(state, InvestigateState)
    return InvestigateResult(report=build_report(state, finished.run_id), own_reports=state.own)
