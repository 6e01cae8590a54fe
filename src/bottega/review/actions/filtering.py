"""From what reviewers report to one list of findings: inventions out, reports of one matter merged."""

from __future__ import annotations

from bottega.pipeline import DONE, action
from bottega.review.actions.subject import get_settings, list_files, record_check
from bottega.review.filtering import NEAR, filter_inventions
from bottega.review.findings import Finding
from bottega.review.merging import mark_confirmed, merge_same, weigh_agreement
from bottega.review.state import ReviewState
from bottega.review.tools import ReviewRun
from bottega.source import Diff, Span


@action(DONE)
def filter_findings(state: ReviewState, run: ReviewRun) -> str:
    """Remove or lower what reviewers invented; everything removed is kept with its reason."""
    if not get_settings(run).hallucination_filter:
        record_check(state, "filter", "off")
        return DONE
    shown = "\n".join((*state.around, *state.notes, state.intent))
    result = filter_inventions(state.findings, Diff(tuple(list_files(state))), shown)
    lowered = sum(any(step.stage in {"quotes", "direction"} for step in finding.trace) for finding in result.kept)
    state.findings, state.dropped = result.kept, (*state.dropped, *result.dropped)
    detail = f"{len(result.dropped)} removed, {lowered} lowered, of {len(result.kept) + len(result.dropped)}"
    record_check(state, "filter", "ran", detail)
    run.decide("filter", len(result.dropped), detail)
    run.say(f"filter: {detail}")
    return DONE


@action(DONE)
def merge_findings(state: ReviewState, run: ReviewRun) -> str:
    """Make one finding of each matter, weighed by how many of the reviewers that saw the lines report it."""
    weighed = [weigh_agreement(finding, _list_viewers(finding, state)) for finding in merge_same(state.findings)]
    ordered = sorted(
        mark_confirmed(weighed), key=lambda finding: (finding.span.path, finding.span.first, finding.title)
    )
    state.findings = tuple(
        finding.model_copy(update={"id": f"f{number:03}", "mark": finding.mark or finding.compute_mark()})
        for number, finding in enumerate(ordered, 1)
    )
    run.decide("merged", len(state.findings), "findings after merging")
    return DONE


def _list_viewers(finding: Finding, state: ReviewState) -> dict[str, bool]:
    """Whether each reviewer was shown, and answered about, a hunk that the finding is about."""
    return {
        reviewer.name: any(
            _is_near(span, finding.span)
            for call in state.seen
            if call.reviewer == reviewer.name and not call.failure
            for span in state.portions[call.portion - 1]
        )
        for reviewer in state.panel
    }


def _is_near(hunk: Span, cited: Span) -> bool:
    return hunk.path == cited.path and cited.first <= hunk.last + NEAR and cited.last >= hunk.first - NEAR
