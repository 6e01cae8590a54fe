"""Discussions of what is contested: supporters and a devil's advocate, open arguments, an end in any case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.errors import BottegaError
from bottega.models import Request, SchemaContract, family_of, fenced, load_prompt
from bottega.pipeline import DONE, action, fan_out
from bottega.review.actions.preparing import settings_of
from bottega.review.findings import Finding, rank
from bottega.review.reading import parsed, shown_hunk
from bottega.review.state import Argument, Checked, Discussion, ReviewState
from bottega.review.tools import ReviewRun
from bottega.source import quote_line, quote_name

_UPHELD, _MORE_ROUNDS, _TIE = 15, 5, 10
_SNIPPET = 60
_AT_ONCE = 32
_LONGEST_ARGUMENT = 600
_SUPPORTER = (
    "You were asked because you may support the remark: check whether the lines bear it out,"
    " and say so only if they do."
)
_DEVIL = (
    "You are the devil's advocate: look for the strongest reason why the remark is wrong, harmless or already handled"
    " in the lines that are shown, and agree only when you find none."
)


class Stance(BaseModel):
    """What a participant replies."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    argument: str = Field(min_length=1, max_length=4000)
    stance: Literal["agree", "disagree", "neutral"]


class Ruling(BaseModel):
    """What the moderator replies."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    reason: str = Field(min_length=1, max_length=4000)
    decision: Literal["uphold", "dismiss", "undecided"]


@action(DONE)
def discuss_findings(state: ReviewState, run: ReviewRun) -> str:
    """Have contested findings discussed, the gravest first; what is not discussed keeps its weight."""
    settings = settings_of(run)
    contested = [one for one in state.findings if _is_contested(one, settings.discuss_warnings_of)]
    if not settings.discussion or not state.panel:
        standing: Literal["off", "not run"] = "off" if not settings.discussion else "not run"
        detail = f"{len(contested)} contested findings"
        state.checks = (*state.checks, Checked(name="discussion", standing=standing, detail=detail))
        return DONE
    contested.sort(key=lambda one: (-rank(one.severity), -one.confidence, one.id))
    chosen, left = contested[: settings.max_discussions], contested[settings.max_discussions :]
    numbered = list(enumerate(chosen, 1))
    held = fan_out(numbered, lambda item: _discussed(item[0], item[1], state, run), limit=_AT_ONCE)
    state.discussions = tuple(landed.value() for landed in held)
    by_finding = {one.finding: one for one in state.discussions}
    state.findings = tuple(
        _after(finding, by_finding[finding.id]) if finding.id in by_finding else finding for finding in state.findings
    )
    tally = Counter(one.outcome for one in state.discussions)
    detail = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tally.items())) or "nothing is contested"
    if tally["unconfirmed"]:
        detail += "; one model, or one family, discussed with itself: no confirmation"
    if left:
        detail += f"; {len(left)} more were not discussed"
    state.checks = (*state.checks, Checked(name="discussion", standing="ran", detail=detail))
    run.say(f"discussion: {detail}")
    return DONE


def _is_contested(finding: Finding, warnings_of: int) -> bool:
    if finding.verified or finding.dismissal or finding.source != "reviewer":
        return False
    if finding.is_grave:
        return True
    return finding.severity == "WARNING" and 0 < warnings_of <= len(finding.reviewers)


def _discussed(number: int, finding: Finding, state: ReviewState, run: ReviewRun) -> Discussion:
    settings = settings_of(run)
    seats = _seats(number, state, settings.supporters)
    arguments: list[Argument] = []
    for round_number in range(1, settings.max_rounds + 1):
        heard = tuple(arguments)
        asked = fan_out(
            seats,
            lambda seat, at=round_number, heard=heard: _argued(seat, at, finding, heard, state, run),  # type: ignore[misc]
            limit=len(seats),
        )
        arguments += [
            landed.result or _absent(seat, at, _failure(run, f"{finding.id} {seat[0]}{at}", landed.error))
            for at, seat, landed in zip([round_number] * len(seats), seats, asked, strict=True)
        ]
        last = [one.stance for one in arguments if one.round == round_number]
        if _is_settled(last):
            break
    outcome, settled_by, reason = _ended(arguments, finding, state, run)
    run.say(f"{finding.place} {finding.title}: {outcome} ({settled_by})")
    return Discussion(
        id=f"d{number:03}",
        finding=finding.id,
        arguments=tuple(arguments),
        outcome=outcome,
        settled_by=settled_by,
        severity=finding.severity,
        reason=reason,
    )


Seat = tuple[str, str, str]


def _seats(number: int, state: ReviewState, supporters: int) -> list[Seat]:
    """Letter, role and model of each; models are drawn with the review's seed, so that it can be done again."""
    models = list(dict.fromkeys(one.model for one in state.panel))
    Random(f"{state.seed}/{number}").shuffle(models)  # noqa: S311 - a draw, no secret
    roles = ["supporter"] * supporters + ["devil's advocate"]
    return [(chr(ord("A") + at), role, models[at % len(models)]) for at, role in enumerate(roles)]


def _argued(
    seat: Seat, round_number: int, finding: Finding, so_far: Sequence[Argument], state: ReviewState, run: ReviewRun
) -> Argument:
    who, role, model = seat
    request = _request(
        "participant",
        finding,
        so_far,
        state,
        role=_DEVIL if role != "supporter" else _SUPPORTER,
        who=who,
        round=str(round_number),
    )
    said = run.ask(request, SchemaContract(Stance), role="reviewer", model=model).value
    return Argument(round=round_number, who=who, role=role, model=model, stance=said.stance, text=said.argument.strip())


def _absent(seat: Seat, round_number: int, failure: str) -> Argument:
    """Who does not answer has no voice; it is neither for nor against."""
    return Argument(round=round_number, who=seat[0], role=seat[1], model=seat[2], stance="absent", text=failure)


def _failure(run: ReviewRun, place: str, error: BottegaError | None) -> str:
    """In the words of the first time: a replay fails in others."""
    return str(run.effect(f"failure {place}", lambda: str(error or "no answer")))


def _is_settled(stances: Sequence[str]) -> bool:
    """All who speak say the same, and they are most of those who were asked."""
    spoken = [stance for stance in stances if stance in {"agree", "disagree"}]
    return len(set(spoken)) == 1 and len(spoken) * 2 > len(stances)


Settled = Literal["consensus", "majority", "moderator", "failure"]
Ending = Literal["upheld", "dismissed", "undecided", "unconfirmed"]
Stances = Literal["agree", "disagree", "neutral", "absent"]
_OUTCOMES: tuple[tuple[Stances, Ending], ...] = (("agree", "upheld"), ("disagree", "dismissed"))


def _ended(
    arguments: Sequence[Argument], finding: Finding, state: ReviewState, run: ReviewRun
) -> tuple[Ending, Settled, str]:
    last = arguments[-1].round
    stances = [one.stance for one in arguments if one.round == last]
    votes = Counter(stances)
    if votes["absent"] == len(stances):
        return "undecided", "failure", "nobody answered"
    for stance, outcome in _OUTCOMES:
        if votes[stance] * 2 > len(stances):
            settled: Settled = "consensus" if _is_settled(stances) else "majority"
            reason = f"{votes[stance]} of {len(stances)} {stance} after {last} rounds"
            backers = [one.model for one in arguments if one.round == last and one.stance == stance]
            return _sure(*_independent(outcome, reason, backers), settled, votes, finding)
    try:
        request = _request("moderator", finding, arguments, state)
        moderator = _moderator(arguments, state)
        ruling = run.ask(request, SchemaContract(Ruling), role="reasoning", model=moderator).value
    except BottegaError as error:
        failure = _failure(run, f"{finding.id} moderator", error)
        return "undecided", "failure", f"the moderator gave no decision: {failure}"
    decided: dict[str, Ending] = {"uphold": "upheld", "dismiss": "dismissed", "undecided": "undecided"}
    stance_of = {outcome: stance for stance, outcome in _OUTCOMES}
    outcome = decided[ruling.decision]
    side = stance_of.get(outcome)
    backers = [moderator, *(one.model for one in arguments if one.round == last and one.stance == side)]
    return _sure(*_independent(outcome, ruling.reason.strip(), backers), "moderator", votes, finding)


def _moderator(arguments: Sequence[Argument], state: ReviewState) -> str:
    """A model of the panel that is no relative of those who disagree with each other, where there is one."""
    last = arguments[-1].round
    parties = {family_of(one.model) for one in arguments if one.round == last and one.stance in {"agree", "disagree"}}
    apart = (one.model for one in state.panel if family_of(one.model) not in parties)
    return next(apart, state.panel[0].model)


def _independent(outcome: Ending, reason: str, backers: Sequence[str]) -> tuple[Ending, str]:
    """The outcome, if models of two families back it: relatives make the same mistakes, and one model is one voice.

    `backers` are the models that took the side of the outcome, the moderator's included where it decided.
    """
    if outcome not in {"upheld", "dismissed"} or len({family_of(model) for model in backers}) > 1:
        return outcome, reason
    who = "one model discussed with itself" if len(set(backers)) == 1 else "models of one family discussed it"
    return "unconfirmed", f"{who}: no confirmation ({outcome} in its opinion: {reason})"


def _sure(
    outcome: Ending, reason: str, settled: Settled, votes: Mapping[Stances, int], finding: Finding
) -> tuple[Ending, Settled, str]:
    """What is grave is not dismissed in the absence of somebody who was to be heard."""
    if outcome == "dismissed" and finding.is_grave and votes.get("absent", 0):
        return "undecided", "failure", f"{votes['absent']} did not answer, the others dismiss it: {reason}"
    return outcome, settled, reason


def _request(name: str, finding: Finding, arguments: Sequence[Argument], state: ReviewState, **more: str) -> Request:
    prompt = load_prompt("bottega.review", name)
    values = {
        "severity": finding.severity,
        "remark": fenced(f"{quote_name(finding.place)}: {quote_line(finding.title)}"),
        "problem": fenced("\n".join(dict.fromkeys(voice.problem for voice in finding.voices)) or finding.problem),
        "lines": fenced(_lines(finding, state), "diff"),
        "tools": fenced(_tools(finding, state)),
        "arguments": _arguments(arguments),
        **more,
    }
    return Request.of(
        prompt.fill(**values),
        system=prompt.fill_system(**values),
        stage=f"review.{name}",
        prompt_version=prompt.version,
    )


def _lines(finding: Finding, state: ReviewState) -> str:
    """The change around the finding; of a long one the part nearest to it."""
    file = parsed(state.diff).file(finding.path)
    parts = []
    for hunk in file.hunks if file else ():
        gone = not hunk.new_count
        numbers = [(line.old if gone else line.new) for line in hunk.lines]
        lines = [
            line
            for line, number in zip(hunk.lines, numbers, strict=True)
            if not number or abs(number - finding.first) <= _SNIPPET
        ]
        if any(number and abs(number - finding.first) <= _SNIPPET for number in numbers):
            parts.append(shown_hunk(replace(hunk, lines=tuple(lines))))
    return "\n".join(parts) or "(the lines are not in the change)"


def _tools(finding: Finding, state: ReviewState) -> str:
    """What ran and what it said of this file; a tool that did not run is said not to have run."""
    lines = [quote_line(f"{check.name}: {check.standing}, {check.detail}") for check in state.checks]
    lines += [
        quote_line(f"{one.place}: {one.problem}") for one in state.findings if one.verified and one.path == finding.path
    ]
    return "\n".join(lines) or "(no tool was run)"


def _arguments(arguments: Sequence[Argument]) -> str:
    said = [
        f"Round {one.round}, {one.who} ({one.stance}): {one.text[:_LONGEST_ARGUMENT]}"
        for one in arguments
        if one.stance != "absent"
    ]
    return f"What was said so far:\n\n{fenced(chr(10).join(said))}" if said else "Nobody has spoken yet."


def _after(finding: Finding, discussion: Discussion) -> Finding:
    """A discussion of several families moves the confidence; it never lowers what code confirmed."""
    rounds = max(one.round for one in discussion.arguments)
    change = {
        "upheld": _UPHELD + _MORE_ROUNDS * min(rounds - 1, 2),
        "dismissed": -finding.confidence,
        "undecided": -_TIE,
        "unconfirmed": 0,
    }[discussion.outcome]
    change = max(0, change) if finding.verified else change
    why = f"{discussion.outcome} by {discussion.settled_by}: {discussion.reason}"
    return finding.at(
        "discussion", finding.confidence + change, why, outcome=discussion.outcome, discussion=discussion.id
    )
