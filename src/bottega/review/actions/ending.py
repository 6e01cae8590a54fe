"""The end of a review: the verdict and the record."""

from __future__ import annotations

from collections import defaultdict

from bottega.journal import now
from bottega.pipeline import DONE, action
from bottega.review.actions.subject import get_settings
from bottega.review.dangers.check import NAME as DANGERS
from bottega.review.deciding import decide
from bottega.review.reading import SKIPPED_BY_NAME
from bottega.review.report import ReviewerLine, ReviewReport
from bottega.review.reports.folder import build_files
from bottega.review.rules import FILE as RULES_FILE
from bottega.review.state import ReviewState
from bottega.review.tools import ReviewRun
from bottega.source.roles import Role, role_of_path

# Required checks; without them the review is incomplete.
_REQUIRED_CHECKS = frozenset({"parse", "tools", DANGERS, RULES_FILE})


@action(DONE)
def decide_verdict(state: ReviewState, run: ReviewRun) -> str:
    """Decide the verdict from the findings and the gaps, by the table in docs/review.md."""
    state.gaps = tuple(_list_gaps(state))
    verdict = decide(
        state.findings,
        gaps=state.gaps,
        reviewers=len({call.reviewer for call in state.seen if not call.failure}),
        strict=get_settings(run).strict,
    )
    state.findings, state.decision = verdict.findings, verdict.decision
    state.reasons, state.questions = verdict.reasons, verdict.questions
    run.decide("verdict", verdict.decision, "; ".join(verdict.reasons)[:1000])
    run.outcome("verdict", verdict.decision)
    return DONE


def _list_gaps(state: ReviewState) -> list[str]:
    """Everything that failed or was skipped; each gap keeps the review from accepting."""
    failed: dict[str, list[str]] = defaultdict(list)
    for call in state.seen:
        if call.failure:
            failed[call.failure].append(f"{call.reviewer} (portion {call.portion})")
    gaps = [f"{', '.join(who)}: {failure}" for failure, who in failed.items()]
    gaps += [f"{check.name}: {check.detail}" for check in state.checks if check.status == "failed"]
    off = [check.name for check in state.checks if check.status == "off" and check.name in _REQUIRED_CHECKS]
    gaps += [f"{name} is switched off" for name in off]
    gaps += [
        f"discussion {discussion.id}: {discussion.reason}"
        for discussion in state.discussions
        if discussion.settled_by == "failure"
    ]
    skipped = [file for file in state.left_out if role_of_path(file.path) is not Role.BINARY]
    gaps += [f"{file.path} cannot be read" for file in skipped if file.reason == "binary"]
    gaps += [
        f"{file.path} was not read: its name says that it is {file.reason}"
        for file in skipped
        if file.reason in SKIPPED_BY_NAME
    ]
    return gaps


@action()
def write_report(state: ReviewState, run: ReviewRun) -> str:
    """Write the review down as a folder that a person can read, and end."""

    def write() -> str:
        review = run.tools.reviews.begin()
        report = build_report(state, run.id, review)
        run.tools.reviews.write(review, build_files(report, state.diff, run.tools.reviews.masked))
        return review

    state.report = str(run.effect("report", write))
    return DONE


def build_report(state: ReviewState, run_id: str, review: str) -> ReviewReport:
    panel = tuple(
        ReviewerLine(
            name=reviewer.name,
            model=reviewer.model,
            portions=sum(call.reviewer == reviewer.name and not call.failure for call in state.seen),
            failed=sum(call.reviewer == reviewer.name and bool(call.failure) for call in state.seen),
        )
        for reviewer in state.panel
    )
    return ReviewReport(
        id=review,
        run=run_id,
        at=now(),
        origin=state.origin,
        intent=state.intent,
        decision=state.decision or "NEEDS_HUMAN",
        complete=not state.gaps,
        gaps=state.gaps,
        reasons=state.reasons,
        questions=state.questions,
        independence=state.independence,
        remarks=state.remarks,
        static_only=not state.panel,
        seed=state.seed,
        fail_on=state.fail_on,
        paths=state.paths,
        left_out=state.left_out,
        classes=state.classes,
        checks=state.checks,
        around=state.around,
        panel=panel,
        portions=state.portions,
        seen=state.seen,
        findings=state.findings,
        dropped=state.dropped,
        discussions=state.discussions,
        freshness=state.freshness,
    )
