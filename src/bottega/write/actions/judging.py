"""The judge: scores drafts and reviews; where there is no score, the reviewer is called."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.amounts import plural
from bottega.errors import InputError, ReplyRejected
from bottega.models import Request, SchemaContract
from bottega.pipeline import DONE, Params, action, fan_out
from bottega.source import find_defined_names, language_named
from bottega.write.asking import add_history, build_request, fenced
from bottega.write.examples import try_on_examples
from bottega.write.state import Candidate, Judgement, JudgeResult, Rules, WriteState
from bottega.write.syntax import find_proven_fault, find_syntax_fault
from bottega.write.tools import WriteRun

_JUDGE_TOKENS = 256


_RENAMED = {"accept": "no_objection", "escalate": "objects"}


@action("no_objection", "objects", renamed=_RENAMED)
def call_judge(state: WriteState, run: WriteRun) -> str:
    """Score the draft; one with a proven fault needs no score."""
    fault = _find_fault(state, state.current)
    if fault:
        reason = f"the draft {fault}"
    else:
        state.judged_draft = judge(state, run, state.current)
        reason = find_escalation_reason(state.judged_draft, state.rules)
    state.escalated = bool(reason)
    state.escalation_reason = reason
    run.decide("escalate", state.escalated, reason or "confident and without conflict")
    return "objects" if reason else "no_objection"


@action(DONE)
def judge_review(state: WriteState, run: WriteRun) -> str:
    """Score the reviewer's code too, and keep the draft where the review made it provably or clearly worse."""
    if state.reviewed is None or state.basis is None:
        raise InputError("judge_review needs a step call_reviewer before it")
    state.judged_review = judge(state, run, state.reviewed, earlier=state.basis)
    worse = _describe_regression(state, state.basis, state.reviewed) or _describe_new_failures(state, run)
    state.current = state.basis if worse else state.reviewed
    unreadable = "" if worse else state.judged_review.parse_error
    if unreadable:
        run.validate("second judgement", "unknown", f"unreadable: {unreadable}")
        run.say("the second judgement is unreadable: the reviewed code is returned unjudged")
    stands = f"the review stands; its judgement is unreadable: {unreadable}" if unreadable else "the review stands"
    run.decide("keep", "draft" if worse else "review", worse or stands)
    return DONE


@action(DONE)
def judge_candidates(state: WriteState, run: WriteRun) -> str:
    """Score the candidates that are equal after running them."""
    _require_candidates(state)
    best = max(_rank_evidence(state, candidate) for candidate in state.candidates)
    level = [candidate for candidate in state.candidates if _rank_evidence(state, candidate) == best]
    if len(level) == 1:
        run.decide("judge", "not asked", "one candidate leads on evidence")
        return DONE
    landed = fan_out(
        level,
        lambda candidate: judge(state, run, candidate.code),
        limit=run.tools.parallel,
        on_progress=run.count("judging, drafts"),
    )
    judged = {entry.item.code: entry.value() for entry in landed}
    state.candidates = tuple(
        candidate.model_copy(update={"judged": judged.get(candidate.code, candidate.judged)})
        for candidate in state.candidates
    )
    return DONE


@action(DONE)
def choose_best(state: WriteState, run: WriteRun) -> str:
    """Take the candidate with the best evidence, then the best judgement, then the earliest."""
    _require_candidates(state)
    best = max(state.candidates, key=lambda c: (_rank_evidence(state, c), _get_judge_score(c.judged)))
    state.current = best.code
    state.judged_draft = best.judged or state.judged_draft
    run.decide("choose", best.source, f"best of {len(state.candidates)}: {_describe(best)}")
    return DONE


class Vote(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=1, max_length=300)
    vote: Literal["accept", "reject"]


class VotersParams(Params):
    concerns: tuple[str, ...] = Field(min_length=1, max_length=9, description="what each reviewer looks at")


@action("no_objection", "objects", params=VotersParams, renamed=_RENAMED)
def call_voters(state: WriteState, run: WriteRun) -> str:
    """Let several reviewers vote on the draft; a vote that cannot be read counts against it."""
    concerns = run.params_as(VotersParams).concerns
    landed = fan_out(
        concerns,
        lambda concern: _ask_voter(state, run, concern),
        limit=run.tools.parallel,
        on_progress=run.count("votes"),
    )
    against: list[str] = []
    for entry in landed:
        if entry.error is not None and not isinstance(entry.error, ReplyRejected):
            raise entry.error
        reason = f"no vote: {entry.error}" if entry.error else entry.value().reason
        rejects = entry.error is not None or entry.value().vote == "reject"
        run.decide(f"vote on {entry.item}", "objection" if rejects else "no objection", reason)
        if rejects:
            against.append(f"{entry.item}: {reason}")
    state.escalated = 2 * len(against) > len(concerns)
    state.escalation_reason = "; ".join(against) if state.escalated else ""
    return "objects" if state.escalated else "no_objection"


def judge(state: WriteState, run: WriteRun, code: str, *, earlier: str | None = None) -> JudgeResult:
    """A judgement, or why there is none. Only a model that cannot be had at all is an error."""
    tag = state.language.lower()
    shown = f"\nEarlier version, before review:\n{fenced(earlier, tag)}\n" if earlier and earlier != code else ""
    request = build_request(
        state,
        "judge",
        "write.judge",
        request=add_history(state, state.prompt)
        if state.mode != "review_only"
        else "(none given: judge the code by what it means to do)",
        code=fenced(code, tag),
        earlier=shown,
    )
    try:
        answer = run.ask(_limit_reply(request), SchemaContract(Judgement), role="judge")
    except ReplyRejected as error:
        return JudgeResult(raw_response=error.text[:2000], parse_error=error.reason)
    return JudgeResult(**answer.value.model_dump(), raw_response=answer.reply.text)


def find_escalation_reason(judged: JudgeResult, rules: Rules) -> str:
    """Why the reviewer is called, "" when it is not. What is unknown fails closed."""
    if judged.confidence_score is None or judged.conflict_score is None:
        return f"no judgement: {judged.parse_error or 'the judge gave none'}"
    reasons = []
    if judged.confidence_score < rules.confidence_threshold:
        reasons.append(f"low confidence ({judged.confidence_score} < {rules.confidence_threshold})")
    if judged.conflict_score > rules.conflict_threshold:
        reasons.append(f"high conflict ({judged.conflict_score} > {rules.conflict_threshold})")
    return "; ".join(reasons)


def _describe_regression(state: WriteState, before: str, after: str) -> str:
    """Why the review must not replace the code it started from, "" when it may."""
    if _find_fault(state, before):
        return ""
    fault = _find_fault(state, after)
    if fault:
        return f"the review {fault}"
    lost = _find_lost_names(before, after, state.language)
    if lost:
        return f"the review no longer defines {', '.join(lost)}"
    is_readable = state.judged_review is not None and not state.judged_review.parse_error
    if is_readable and _get_judge_score(state.judged_review) < _get_judge_score(state.judged_basis):
        return "the judge scores the review below the draft"
    return ""


def _describe_new_failures(state: WriteState, run: WriteRun) -> str:
    """How many more examples of the request the review fails than the code it started from, "" when no more."""
    before = try_on_examples(state, run, state.basis or "")
    after = try_on_examples(state, run, state.reviewed or "")
    if before is None or after is None or after.examples_failed <= before.examples_failed:
        return ""
    failed = plural(after.examples_failed, "example")
    return f"the review fails {failed} of the request, the draft {before.examples_failed}"


def _require_candidates(state: WriteState) -> None:
    if not state.candidates:
        raise InputError("choosing needs candidates: put a step that writes code before it")


def _find_fault(state: WriteState, code: str) -> str:
    """A proven fault. With earlier turns in the prompt, names may come from those: only syntax counts."""
    if state.context:
        fault = find_syntax_fault(code, state.language)
        return f"does not parse: {fault}" if fault else ""
    return find_proven_fault(code, state.language)


def _find_lost_names(before: str, after: str, language: str) -> list[str]:
    known = language_named(language)
    names = find_defined_names(before, known) if known else None
    remaining = find_defined_names(after, known) if known else None
    return sorted(names - remaining) if names is not None and remaining is not None else []


def _rank_evidence(state: WriteState, candidate: Candidate) -> tuple[int, int, int, int]:
    parses = 0 if find_syntax_fault(candidate.code, state.language) else 1
    return (parses, *(candidate.report.score(values=state.believe_values) if candidate.report else (0, 0, 0)))


def _get_judge_score(judged: JudgeResult | None) -> int:
    """Confidence minus conflict; a missing judgement ranks lowest."""
    if judged is None or judged.confidence_score is None or judged.conflict_score is None:
        return -100
    return judged.confidence_score - judged.conflict_score


def _describe(candidate: Candidate) -> str:
    report = candidate.report
    ran = (
        f"{plural(report.examples_failed, 'example')} and {plural(report.tests_failed, 'test')} failed"
        if report
        else "not run"
    )
    return f"{ran}, judge score {_get_judge_score(candidate.judged)}"


def _ask_voter(state: WriteState, run: WriteRun, concern: str) -> Vote:
    request = build_request(
        state,
        "voter",
        "write.voter",
        language_named(state.language),
        concern=concern,
        request=state.prompt,
        code=fenced(state.current, state.language.lower()),
    )
    return run.ask(_limit_reply(request), SchemaContract(Vote), role="reviewer").value


def _limit_reply(request: Request) -> Request:
    return replace(request, max_tokens=_JUDGE_TOKENS)
