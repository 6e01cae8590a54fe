"""The report of an investigation, from which the text, Markdown, HTML and JSON forms are made."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES, Coverage, Flag
from bottega.investigate.flags import is_at_or_above
from bottega.investigate.imports import DirectoryImport
from bottega.investigate.state import InvestigateState, Synthesis


class DirectoryReport(BaseModel):
    """One directory of a report; `doubt` says why its summary should not be trusted.

    `status` is `known` (from an earlier run), `new`, `partial`, `skipped` or `not looked at`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    summary: str
    status: str
    reason: str = ""
    files: int
    bytes: int
    kinds: tuple[tuple[str, int], ...] = ()
    confidence: float | None = None
    doubt: str = ""
    completeness: float | None = None
    coverage: Coverage = Coverage()
    notable_files: tuple[str, ...] = ()
    turns: int = 0


class InvestigationReport(BaseModel):
    """The result of an investigation; `gaps` says what was not investigated, and `complete` that there are none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    investigation: str
    target: str
    at: str
    model: str
    complete: bool
    gaps: tuple[str, ...]
    synthesis: Synthesis
    survey: str = ""
    survey_confidence: float | None = None
    directories: tuple[DirectoryReport, ...]
    files: dict[str, str] = Field(default_factory=dict)
    flags: tuple[Flag, ...]
    dropped_flags: int
    coverage: Coverage
    known: int
    turns: int
    tokens: int
    cost: float | None = Field(None, description="dollars; none where the price of a call is unknown")
    imports: tuple[DirectoryImport, ...] = Field((), description="imports between directories, the most first")
    fail_on: str = ""
    scan: dict[str, Any]

    @property
    def fails(self) -> bool:
        """Whether a flag is at or above the severity given with --fail-on."""
        severity = next((name for name in SEVERITIES if name == self.fail_on), None)
        return severity is not None and any(is_at_or_above(flag, severity) for flag in self.flags)

    @property
    def spent(self) -> str:
        """Turns, tokens and dollars in words."""
        cost = "cost unknown" if self.cost is None else f"${self.cost:.2f}"
        return f"{plural(self.turns, 'turn')}, {plural(self.tokens, 'token')}, {cost}"


def build_report(state: InvestigateState, run_id: str) -> InvestigationReport:
    """The report of a run that has reached its last step."""
    assert state.synthesis is not None
    return InvestigationReport(
        run=run_id,
        investigation=state.investigation,
        target=state.target,
        at=state.began,
        model=state.model,
        complete=not state.gaps,
        gaps=state.gaps,
        synthesis=state.synthesis,
        survey=state.survey.description if state.survey else "",
        survey_confidence=state.survey.confidence if state.survey else None,
        directories=_list_directories(state),
        files={path: entry.summary for path, entry in state.files.items()},
        flags=state.flags,
        dropped_flags=state.dropped_flags,
        coverage=state.coverage,
        known=len(state.cached),
        turns=state.turns,
        tokens=state.tokens,
        cost=state.cost,
        imports=state.imports,
        fail_on=state.fail_on,
        scan=state.scan,
    )


def _list_directories(state: InvestigateState) -> tuple[DirectoryReport, ...]:
    skipped = {allotment.path: allotment.reason for allotment in state.allotted if allotment.tier == "skip"}
    directories = []
    for unit in state.units:
        entry = state.entries.get(unit.path)
        size = {"files": unit.total_files, "bytes": unit.total_bytes, "kinds": unit.kinds}
        if entry is None:
            status = "skipped" if unit.path in skipped else "not looked at"
            reason = skipped.get(unit.path, "")
            directories.append(DirectoryReport(path=unit.path, summary="", status=status, reason=reason, **size))
            continue
        status = "partial" if entry.partial else "known" if unit.path in state.cached else "new"
        directories.append(
            DirectoryReport(
                path=unit.path,
                summary=entry.summary,
                status=status,
                reason=entry.partial_reason,
                confidence=entry.confidence,
                doubt=entry.confidence_reason,
                completeness=entry.completeness,
                coverage=entry.coverage,
                notable_files=entry.notable_files,
                turns=entry.turns_used,
                **size,
            )
        )
    return tuple(directories)
