"""What is done to findings before the verdict: dismissals of a person, and suggestions tried on a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bottega.amounts import plural
from bottega.errors import StorageError
from bottega.pipeline import DONE, action
from bottega.review.actions.subject import get_settings, list_files, open_state_tree, record_check
from bottega.review.diagnostics import lint_texts
from bottega.review.dismissing import ActiveDismissal
from bottega.review.findings import Finding
from bottega.review.state import ReviewState
from bottega.review.suggesting import try_suggestion
from bottega.review.tools import ReviewRun


@action(DONE)
def apply_dismissals(state: ReviewState, run: ReviewRun) -> str:
    """Set aside the findings that a dismissal in force covers."""
    if not get_settings(run).dismissals:
        record_check(state, "dismissals", "off")
        return DONE
    known = run.effect("dismissals", lambda: _read_dismissals(run))
    if isinstance(known, dict):
        record_check(state, "dismissals", "failed", known["failure"])
        return DONE
    active = [ActiveDismissal.model_validate(entry) for entry in known]
    state.findings = tuple(_set_aside(finding, active) for finding in state.findings)
    count = sum(bool(finding.dismissal) for finding in state.findings)
    record_check(state, "dismissals", "ran", f"{plural(count, 'finding')} set aside")
    return DONE


def _read_dismissals(run: ReviewRun) -> list[dict[str, Any]] | dict[str, str]:
    """What the run records: the dismissals in force, or why they cannot be read."""
    try:
        in_force = run.tools.dismissals.in_force()
    except StorageError as error:
        return {"failure": str(error)}
    return [
        ActiveDismissal(
            mark=dismissal.mark,
            scope=dismissal.scope,
            severity=dismissal.severity,
            about=dismissal.about,
            said=str(dismissal),
        ).model_dump()
        for dismissal in in_force
    ]


def _set_aside(finding: Finding, active: Sequence[ActiveDismissal]) -> Finding:
    for dismissal in active:
        if dismissal.covers(finding):
            return finding.with_confidence("dismissal", finding.confidence, dismissal.said, dismissal=dismissal.said)
    return finding


@action(DONE)
def check_suggestions(state: ReviewState, run: ReviewRun) -> str:
    """Apply the suggestions of grave findings to a copy: it must parse, and ruff must find nothing new in it."""
    if not get_settings(run).suggestion_check:
        record_check(state, "suggestions", "off")
        return DONE
    files = list_files(state)
    read = open_state_tree(state, run, files).masked
    has_ruff = any(check.name == "ruff" and check.status == "ran" for check in state.checks)

    def lint(path: str, before: str, after: str) -> str:
        return lint_texts(path, before, after, run.tools.root, run.tools.open_sandbox) if has_ruff else ""

    def check(finding: Finding) -> Finding:
        result = run.effect(f"suggestion {finding.id}", lambda: try_suggestion(finding, read, lint))
        return finding.model_copy(update={"suggestion_check": str(result)})

    known = {file.path for file in files}
    state.findings = tuple(
        check(finding) if finding.is_grave and finding.suggestion and finding.span.path in known else finding
        for finding in state.findings
    )
    fitting = sum(finding.suggestion_check == "fits" for finding in state.findings)
    unfit = sum(finding.suggestion_check.startswith("does not fit") for finding in state.findings)
    record_check(state, "suggestions", "ran", f"{fitting} fit, {unfit} do not")
    return DONE
