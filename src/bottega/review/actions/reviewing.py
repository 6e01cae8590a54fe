"""The panel at work: every reviewer is shown every hunk of the change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bottega.amounts import plural
from bottega.errors import CeilingReached, ModelError, ReplyRejected
from bottega.pipeline import DONE, ItemResult, action, fan_out
from bottega.review.actions.reviewer_requests import ROLE, compute_portion_limit, request_review
from bottega.review.actions.subject import list_files
from bottega.review.contract import ReviewContract, ReviewReply
from bottega.review.findings import Finding
from bottega.review.reading import Portion, render_portion, split_into_portions
from bottega.review.reported import build_finding
from bottega.review.state import Reviewer, ReviewerCall, ReviewState
from bottega.review.tools import ReviewRun
from bottega.source import Diff, estimate_tokens

_AT_ONCE = 32
_HAS_FINDINGS = re.compile(r'"(?:title|severity|problem)"')


@dataclass(frozen=True, slots=True)
class _Job:
    """One request: a portion, counted from 1, for one reviewer."""

    reviewer: Reviewer
    number: int
    portion: Portion


@dataclass(frozen=True, slots=True)
class _PortionReview:
    """A reply and the model that gave it; `loss` says what an earlier model reported in a form nobody could read."""

    reply: ReviewReply
    model: str
    loss: str = ""


@action(DONE)
def call_reviewers(state: ReviewState, run: ReviewRun) -> str:
    """Show every portion of the change to every reviewer, as many at once as the servers allow."""
    limit = int(run.effect("portion limit", lambda: compute_portion_limit(state, run)))
    files = list_files(state)
    portions = split_into_portions(files, estimate_tokens, limit)
    jobs = [_Job(reviewer, number, portion) for number, portion in enumerate(portions, 1) for reviewer in state.panel]
    run.say(
        f"{plural(len(portions), 'portion')} for {plural(len(state.panel), 'reviewer')}: {plural(len(jobs), 'request')}"
    )
    landed = fan_out(
        jobs,
        lambda job: _review_portion(job, len(portions), state, run),
        limit=_AT_ONCE,
        on_progress=run.count("reviewing, requests"),
    )
    calls = [_record_call(item, run) for item in landed]
    findings = _collect_findings(landed, Diff(tuple(files)))
    state.portions = tuple(portion.spans() for portion in portions)
    state.seen = tuple(calls)
    state.findings = (*state.findings, *findings)
    failures = sum(bool(call.failure) for call in calls)
    run.decide(
        "reviewed",
        len(calls) - failures,
        f"{plural(failures, 'request')} failed, {plural(len(findings), 'finding')}",
    )
    return DONE


def _review_portion(job: _Job, total: int, state: ReviewState, run: ReviewRun) -> _PortionReview:
    """Ask one reviewer about one portion; where its model fails, the other models of the panel are asked in turn."""
    shown = f"{job.number} of {total}"
    request = request_review(job.reviewer, render_portion(job.portion), shown, state, run)
    failure: ModelError | None = None
    for model in dict.fromkeys((job.reviewer.model, *(reviewer.model for reviewer in state.panel))):
        if failure is not None and run.roster.is_circuit_open(model):
            continue
        try:
            reply = run.ask(request, ReviewContract(), role=ROLE, model=model).value
        except CeilingReached:
            raise
        except ModelError as error:
            failure = error
            continue
        run.say(f"{job.reviewer.name}, portion {shown}: {plural(len(reply.findings), 'finding')}")
        return _PortionReview(reply, model, _describe_loss(failure))
    assert failure is not None
    run.say(f"{job.reviewer.name}, portion {shown}: {failure}")
    raise failure


def _describe_loss(failure: ModelError | None) -> str:
    """Findings that a model reported in a form nobody could read are lost, even where another model then answers."""
    if isinstance(failure, ReplyRejected) and _HAS_FINDINGS.search(failure.text):
        return f"findings of {failure.model} could not be read"
    return ""


def _record_call(landed: ItemResult[_Job, _PortionReview], run: ReviewRun) -> ReviewerCall:
    """Re-raise errors that are not model failures."""
    job, review = landed.item, landed.result
    if landed.error is not None and not isinstance(landed.error, ModelError):
        raise landed.error
    if review is None:
        # A replay may fail with another message than the run, so the first one is recorded.
        failure = run.effect(f"failure of {job.reviewer.name} {job.number}", lambda: str(landed.error))
        return ReviewerCall(
            reviewer=job.reviewer.name, model=job.reviewer.model, portion=job.number, failure=str(failure)
        )
    unreadable = review.reply.unreadable
    return ReviewerCall(
        reviewer=job.reviewer.name,
        model=review.model,
        portion=job.number,
        findings=len(review.reply.findings),
        failure=f"{unreadable} of its findings could not be read" if unreadable else review.loss,
    )


def _collect_findings(landed: Sequence[ItemResult[_Job, _PortionReview]], diff: Diff) -> list[Finding]:
    return [
        build_finding(reported, review.item.reviewer, diff)
        for review in landed
        if review.result is not None
        for reported in review.result.reply.findings
    ]
