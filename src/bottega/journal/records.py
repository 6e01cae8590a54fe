"""Records of runs: one frozen value for each kind of row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EventKind = Literal["began", "ended", "progress", "text", "remark", "call"]


class RecordConflict(Exception):
    """A record contradicts those that exist: its key is taken, its run is unknown, or a field holds a wrong value.

    This is a mistake in the calling code, not a state that a person can mend.
    """


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One execution of a pipeline. `definition`, `input`, `settings` and `final_state` are JSON text."""

    id: str
    pipeline: str
    kind: str
    definition: str
    input: str
    settings: str
    status: str
    error: str | None
    final_state: str | None
    version: str
    created_at: str
    ended_at: str | None
    cancel_requested_at: str | None = None


@dataclass(frozen=True, slots=True)
class StepRecord:
    run_id: str
    seq: int
    step_id: str
    action: str
    status: str
    outcome: str | None
    error: str | None
    started_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Which call of a run: `nth` tells equal requests of one step apart."""

    run_id: str
    seq: int
    request_hash: str
    nth: int


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One model call; `request` and `tool_calls` are JSON text, and `cost` is None when the price is unknown."""

    id: str
    run_id: str
    seq: int
    request_hash: str
    nth: int
    stage: str
    role: str
    model: str
    request: str
    prompt_version: str
    status: str
    reply: str | None
    thinking: str | None
    tool_calls: str | None
    finish: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    usage_is_estimated: bool
    latency_ms: int | None
    cost: float | None
    error: str | None
    verdict: str | None
    verdict_reason: str | None
    sent_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class CallTiming:
    """How many tokens a completed call had, and how long the reply took from the request to its end."""

    prompt_tokens: int
    reply_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Note:
    """What happened beside the calls of a run; `what` is decision, validation, effect or outcome."""

    seq: int
    what: str
    name: str
    value: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run has used so far; `cost` is None when the price of some call is unknown.

    `is_estimated` where a server did not report the tokens of some call.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    is_estimated: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run, numbered from 1 without gaps.

    `step` is "" for the run itself. `name` says what `text` is about: the stage of a progress, `reply` or `answer` of a
    text, the stage of a call. `text` is the purpose of a step that began, the outcome of one that ended, the remark,
    or what a model wrote since the last such event.
    """

    run: str
    seq: int
    at: str
    step: str
    kind: EventKind
    name: str = ""
    text: str = ""
    done: int = 0
    total: int = 0
