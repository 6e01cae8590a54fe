"""Discussions of contested findings: supporters and a devil's advocate argue in a bounded number of rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from bottega.amounts import plural
from bottega.errors import BottegaError, ModelError
from bottega.models import SchemaContract
from bottega.pipeline import DONE, action, fan_out
from bottega.review.actions.discussion_requests import Stance, request_argument
from bottega.review.actions.settling import describe_failure, is_settled, settle
from bottega.review.actions.subject import get_settings, record_check
from bottega.review.findings import Finding, rank_severity
from bottega.review.state import Argument, Discussion, ReviewState
from bottega.review.tools import ReviewRun

_UPHELD, _MORE_ROUNDS, _UNDECIDED = 15, 5, 10
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class _Seat:
    """A participant: a letter, so that no name carries weight; its role, and the model that speaks."""

    letter: str
    role: Literal["supporter", "devil's advocate"]
    model: str


@action(DONE)
def discuss_findings(state: ReviewState, run: ReviewRun) -> str:
    """Have contested findings discussed, the gravest first; what is not discussed keeps its confidence."""
    settings = get_settings(run)
    contested = [finding for finding in state.findings if _is_contested(finding, settings.discuss_warnings_of)]
    if not settings.discussion or not state.panel:
        status: Literal["off", "not run"] = "off" if not settings.discussion else "not run"
        record_check(state, "discussion", status, plural(len(contested), "contested finding"))
        return DONE
    contested.sort(key=lambda finding: (-rank_severity(finding.severity), -finding.confidence, finding.id))
    chosen = list(enumerate(contested[: settings.max_discussions], 1))
    held = fan_out(
        chosen,
        lambda item: _discuss(item[0], item[1], state, run),
        limit=_AT_ONCE,
        on_progress=run.count("discussing, findings"),
    )
    state.discussions = tuple(landed.value() for landed in held)
    by_finding = {discussion.finding: discussion for discussion in state.discussions}
    state.findings = tuple(
        _apply_outcome(finding, by_finding[finding.id]) if finding.id in by_finding else finding
        for finding in state.findings
    )
    detail = _summarize(state.discussions, skipped=len(contested) - len(chosen))
    record_check(state, "discussion", "ran", detail)
    run.say(f"discussion: {detail}")
    return DONE


def _is_contested(finding: Finding, warnings_of: int) -> bool:
    """`warnings_of` reviewers make a warning contested; 0 leaves all warnings out."""
    if finding.verified or finding.dismissal or finding.source != "reviewer":
        return False
    if finding.is_grave:
        return True
    return finding.severity == "WARNING" and 0 < warnings_of <= len(finding.reviewers)


def _summarize(discussions: Sequence[Discussion], *, skipped: int) -> str:
    tally = Counter(discussion.outcome for discussion in discussions)
    detail = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tally.items())) or "nothing is contested"
    if tally["unconfirmed"]:
        detail += "; one model, or one family, discussed with itself: no confirmation"
    return f"{detail}; {skipped} more were not discussed" if skipped else detail


def _discuss(number: int, finding: Finding, state: ReviewState, run: ReviewRun) -> Discussion:
    settings = get_settings(run)
    seats = _assign_seats(number, state, settings.supporters)
    arguments: list[Argument] = []
    for round_number in range(1, settings.max_rounds + 1):
        argue = _hold_round(round_number, finding, tuple(arguments), state, run)
        landed = fan_out(seats, argue, limit=len(seats))
        arguments += [
            seat.result or _record_absence(seat.item, round_number, finding, seat.error, run) for seat in landed
        ]
        if is_settled([argument.stance for argument in arguments if argument.round == round_number]):
            break
    outcome, settled_by, reason = settle(arguments, finding, state, run)
    run.say(f"{finding.span} {finding.title}: {outcome} ({settled_by})")
    return Discussion(
        id=f"d{number:03}",
        finding=finding.id,
        arguments=tuple(arguments),
        outcome=outcome,
        settled_by=settled_by,
        severity=finding.severity,
        reason=reason,
    )


def _assign_seats(number: int, state: ReviewState, supporters: int) -> list[_Seat]:
    """Models are drawn by the review's seed, so that the same review draws them again."""
    models = list(dict.fromkeys(reviewer.model for reviewer in state.panel))
    Random(f"{state.seed}/{number}").shuffle(models)  # noqa: S311 - a draw, no secret
    roles: list[Literal["supporter", "devil's advocate"]] = ["supporter"] * supporters
    roles += ["devil's advocate"]
    return [_Seat(chr(ord("A") + at), role, models[at % len(models)]) for at, role in enumerate(roles)]


def _hold_round(
    number: int, finding: Finding, so_far: Sequence[Argument], state: ReviewState, run: ReviewRun
) -> Callable[[_Seat], Argument]:
    """What each participant does in one round; all of them know the arguments of the rounds before."""

    def argue(seat: _Seat) -> Argument:
        request = request_argument(finding, so_far, state, role=seat.role, letter=seat.letter, round_number=number)
        stance = run.ask(request, SchemaContract(Stance), role="reviewer", model=seat.model).value
        return _request_argument(seat, number, stance.stance, stance.argument.strip())

    return argue


def _request_argument(
    seat: _Seat, number: int, stance: Literal["agree", "disagree", "neutral", "absent"], text: str
) -> Argument:
    return Argument(round=number, who=seat.letter, role=seat.role, model=seat.model, stance=stance, text=text)


def _record_absence(seat: _Seat, number: int, finding: Finding, error: BottegaError | None, run: ReviewRun) -> Argument:
    """A participant whose model fails is neither for nor against; anything else that fails ends the run."""
    if not isinstance(error, ModelError):
        assert error is not None  # an item without a result has an error
        raise error
    failure = describe_failure(run, f"{finding.id} {seat.letter}{number}", error)
    return _request_argument(seat, number, "absent", failure)


def _apply_outcome(finding: Finding, discussion: Discussion) -> Finding:
    """A discussion of several families changes the confidence; it never lowers what code confirmed."""
    rounds = max(argument.round for argument in discussion.arguments)
    change = {
        "upheld": _UPHELD + _MORE_ROUNDS * min(rounds - 1, 2),
        "dismissed": -finding.confidence,
        "undecided": -_UNDECIDED,
        "unconfirmed": 0,
    }[discussion.outcome]
    change = max(0, change) if finding.verified else change
    why = f"{discussion.outcome} by {discussion.settled_by}: {discussion.reason}"
    return finding.with_confidence(
        "discussion", finding.confidence + change, why, outcome=discussion.outcome, discussion=discussion.id
    )
