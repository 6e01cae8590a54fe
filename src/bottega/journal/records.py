"""What the journal hands out: one frozen value per kind of record."""

from __future__ import annotations

from dataclasses import dataclass


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
class CallRecord:
    """One model call; `request` is JSON text, `cost` None is unknown."""

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
    latency_ms: int | None
    cost: float | None
    error: str | None
    verdict: str | None
    verdict_reason: str | None
    sent_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """A decision, validation, effect or outcome, as one line of a run's story."""

    seq: int
    what: str
    name: str
    value: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run has used so far; `cost` None means that some call has no known price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
