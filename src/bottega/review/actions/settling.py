"""How a discussion ends: by consensus, by majority, by a moderator, or undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from bottega.amounts import plural
from bottega.errors import BottegaError, ModelError
from bottega.models import SchemaContract, family_of
from bottega.review.actions.discussion_requests import Ruling, request_ruling
from bottega.review.findings import Finding
from bottega.review.state import Argument, ReviewState
from bottega.review.tools import ReviewRun

SettledBy = Literal["consensus", "majority", "moderator", "failure"]
DiscussionOutcome = Literal["upheld", "dismissed", "undecided", "unconfirmed"]
_OUTCOMES: tuple[tuple[Literal["agree", "disagree"], DiscussionOutcome], ...] = (
    ("agree", "upheld"),
    ("disagree", "dismissed"),
)
_RULINGS: dict[str, DiscussionOutcome] = {"uphold": "upheld", "dismiss": "dismissed", "undecided": "undecided"}

Settlement = tuple[DiscussionOutcome, SettledBy, str]
"""The outcome, what brought it about, and the reason."""


def is_settled(stances: Sequence[str]) -> bool:
    """Whether all who take a side take the same one, and are more than half of those who were asked."""
    sides = [stance for stance in stances if stance in {"agree", "disagree"}]
    return len(set(sides)) == 1 and len(sides) * 2 > len(stances)


def settle(arguments: Sequence[Argument], finding: Finding, state: ReviewState, run: ReviewRun) -> Settlement:
    """The end of a discussion, by its last round; where no side has a majority, a moderator decides."""
    last = _list_last_round(arguments)
    stances = [argument.stance for argument in last]
    votes = Counter(stances)
    if votes["absent"] == len(stances):
        return "undecided", "failure", "nobody answered"
    for stance, outcome in _OUTCOMES:
        if votes[stance] * 2 > len(stances):
            settled_by: SettledBy = "consensus" if is_settled(stances) else "majority"
            reason = f"{votes[stance]} of {len(stances)} {stance} after {plural(last[0].round, 'round')}"
            backers = [argument.model for argument in last if argument.stance == stance]
            return _require_everyone(*_require_families(outcome, reason, backers), settled_by, votes["absent"], finding)
    return _moderate(arguments, finding, state, run)


def _list_last_round(arguments: Sequence[Argument]) -> list[Argument]:
    return [argument for argument in arguments if argument.round == arguments[-1].round]


def _moderate(arguments: Sequence[Argument], finding: Finding, state: ReviewState, run: ReviewRun) -> Settlement:
    last = _list_last_round(arguments)
    moderator = _choose_moderator(last, state)
    request = request_ruling(finding, arguments, state)
    try:
        ruling = run.ask(request, SchemaContract(Ruling), role="reasoning", model=moderator).value
    except ModelError as error:
        failure = describe_failure(run, f"{finding.id} moderator", error)
        return "undecided", "failure", f"the moderator gave no decision: {failure}"
    outcome = _RULINGS[ruling.decision]
    side = next((stance for stance, settled in _OUTCOMES if settled == outcome), None)
    backers = [moderator, *(argument.model for argument in last if argument.stance == side)]
    absent = sum(argument.stance == "absent" for argument in last)
    return _require_everyone(*_require_families(outcome, ruling.reason.strip(), backers), "moderator", absent, finding)


def _choose_moderator(last: Sequence[Argument], state: ReviewState) -> str:
    """A model of the panel from a family that took no side, where there is one."""
    parties = {family_of(argument.model) for argument in last if argument.stance in {"agree", "disagree"}}
    others = (reviewer.model for reviewer in state.panel if family_of(reviewer.model) not in parties)
    return next(others, state.panel[0].model)


def _require_families(outcome: DiscussionOutcome, reason: str, backers: Sequence[str]) -> tuple[DiscussionOutcome, str]:
    """The outcome, if models of two families back it: models of one family make the same mistakes.

    `backers` are the models that took the side of the outcome, the moderator's included where it decided.
    """
    if outcome not in {"upheld", "dismissed"} or len({family_of(model) for model in backers}) > 1:
        return outcome, reason
    who = "one model discussed with itself" if len(set(backers)) == 1 else "models of one family discussed it"
    return "unconfirmed", f"{who}: no confirmation ({outcome} in its opinion: {reason})"


def _require_everyone(
    outcome: DiscussionOutcome, reason: str, settled_by: SettledBy, absent: int, finding: Finding
) -> Settlement:
    """A grave finding is not dismissed while a participant is absent."""
    if outcome == "dismissed" and finding.is_grave and absent:
        return "undecided", "failure", f"{absent} did not answer, the others dismiss it: {reason}"
    return outcome, settled_by, reason


def describe_failure(run: ReviewRun, place: str, error: BottegaError) -> str:
    """The error message as first recorded: a replay may fail with another one."""
    return str(run.effect(f"failure {place}", lambda: str(error)))
