"""The requests that participants and the moderator of a discussion get, and the replies they must give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.models import Request, fenced, load_prompt
from bottega.review.findings import Finding
from bottega.review.reading import parse_cached, render_hunk
from bottega.review.state import Argument, ReviewState
from bottega.source import Hunk, quote_line, quote_name

_LINES_AROUND = 60
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


def request_argument(
    finding: Finding, arguments: Sequence[Argument], state: ReviewState, *, role: str, letter: str, round_number: int
) -> Request:
    task = _SUPPORTER if role == "supporter" else _DEVIL
    return _build_request("participant", finding, arguments, state, role=task, who=letter, round=str(round_number))


def request_ruling(finding: Finding, arguments: Sequence[Argument], state: ReviewState) -> Request:
    return _build_request("moderator", finding, arguments, state)


def _build_request(
    name: str, finding: Finding, arguments: Sequence[Argument], state: ReviewState, **more: str
) -> Request:
    prompt = load_prompt("bottega.review", name)
    values = {
        "severity": finding.severity,
        "remark": fenced(f"{quote_name(str(finding.span))}: {quote_line(finding.title)}"),
        "problem": fenced("\n".join(dict.fromkeys(voice.problem for voice in finding.voices)) or finding.problem),
        "lines": fenced(_render_lines(finding, state), "diff"),
        "tools": fenced(_render_checks(finding, state)),
        "arguments": _render_arguments(arguments),
        **more,
    }
    return Request.of(
        prompt.fill(**values),
        system=prompt.fill_system(**values),
        stage=f"review.{name}",
        prompt_version=prompt.version,
    )


def _render_lines(finding: Finding, state: ReviewState) -> str:
    """The change around the finding; of a long hunk the part nearest to it."""
    file = parse_cached(state.diff).file(finding.span.path)
    parts = [_render_near(hunk, finding.span.first) for hunk in (file.hunks if file else ())]
    return "\n".join(part for part in parts if part) or "(the lines are not in the change)"


def _render_near(hunk: Hunk, cited: int) -> str:
    """The lines of a hunk near a cited one, "" where none is; lines of the other side have no number and stay."""
    numbers = [(line.new if hunk.new_count else line.old) for line in hunk.lines]
    near = [bool(number) and abs(number - cited) <= _LINES_AROUND for number in numbers]
    if not any(near):
        return ""
    kept = [line for line, number, is_near in zip(hunk.lines, numbers, near, strict=True) if is_near or not number]
    return render_hunk(replace(hunk, lines=tuple(kept)))


def _render_checks(finding: Finding, state: ReviewState) -> str:
    """What ran and what it said of this file; a check that did not run is said not to have run."""
    lines = [quote_line(f"{check.name}: {check.status}, {check.detail}") for check in state.checks]
    lines += [
        quote_line(f"{other.span}: {other.problem}")
        for other in state.findings
        if other.verified and other.span.path == finding.span.path
    ]
    return "\n".join(lines) or "(no tool was run)"


def _render_arguments(arguments: Sequence[Argument]) -> str:
    lines = [
        f"Round {argument.round}, {argument.who} ({argument.stance}): {argument.text[:_LONGEST_ARGUMENT]}"
        for argument in arguments
        if argument.stance != "absent"
    ]
    return f"What was said so far:\n\n{fenced(chr(10).join(lines))}" if lines else "Nobody has spoken yet."
