"""The call log: every call is recorded before it is sent, and a resumed run finds its completed calls there."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import replace
from typing import Any, Protocol, cast

from bottega.errors import ModelError
from bottega.journal import CallPlace, CallRecord, CallStore, Masker
from bottega.models.request import Finish, Reply, Request, ToolCall, Usage, request_hash, tool_call_json

_IMPOSSIBLE_TOKENS = 2**40


class CallLog(Protocol):
    """Records the calls of one step."""

    def mask(self, request: Request) -> Request:
        """The request with its secrets masked; the masked one is both sent and recorded."""

    def recall(self, request: Request) -> tuple[CallPlace, Reply | None]:
        """The place of the call in the log, and its reply if it is already complete there."""

    def send(self, place: CallPlace, request: Request, *, role: str, model: str) -> str:
        """Record the call before it is sent; returns its id."""

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None: ...
    def complete(self, call_id: str, reply: Reply, *, cost: float | None) -> None: ...
    def fail(self, call_id: str, error: str) -> None: ...
    def rule(self, call_id: str, verdict: str, reason: str) -> None: ...


class JournalLog:
    """The calls of one step of one run, in the journal."""

    def __init__(self, calls: CallStore, mask: Masker, run_id: str, seq: int) -> None:
        self._calls = calls
        self._mask = mask
        self._run_id = run_id
        self._seq = seq
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def mask(self, request: Request) -> Request:
        return mask_request(request, self._mask)

    def recall(self, request: Request) -> tuple[CallPlace, Reply | None]:
        digest = request_hash(self._mask.masked(request.as_json()))
        with self._lock:
            nth = self._seen[digest]
            self._seen[digest] += 1
        place = CallPlace(self._run_id, self._seq, digest, nth)
        record = self._calls.completed(place)
        return place, build_reply(record) if record else None

    def send(self, place: CallPlace, request: Request, *, role: str, model: str) -> str:
        return self._calls.send(
            place,
            stage=request.stage,
            role=role,
            model=model,
            request=request.as_json(),
            prompt_version=request.prompt_version,
        )

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None:
        self._calls.attempt(call_id, n, started_at=started_at, error=error)

    def complete(self, call_id: str, reply: Reply, *, cost: float | None) -> None:
        self._calls.complete(
            call_id,
            reply=reply.text,
            thinking=reply.thinking,
            tool_calls=[tool_call_json(call) for call in reply.tool_calls],
            finish=reply.finish,
            prompt_tokens=_check_count(reply.usage.prompt_tokens),
            completion_tokens=_check_count(reply.usage.completion_tokens),
            usage_is_estimated=reply.usage.is_estimated,
            latency_ms=reply.latency_ms,
            cost=cost,
        )

    def fail(self, call_id: str, error: str) -> None:
        self._calls.fail(call_id, error)

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        self._calls.rule(call_id, verdict, reason)


class ReplayLog(JournalLog):
    """Answers from the journal alone: a call that is not there raises `ModelError`, and nothing is written."""

    def send(self, place: CallPlace, request: Request, *, role: str, model: str) -> str:  # noqa: ARG002 - the protocol
        raise ModelError(
            model,
            f"the replay asks something that the run did not ask (stage {request.stage or role})",
            hint="The prompts or the pipeline's code have changed since the run was made.",
        )

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        """The journal already holds the verdict."""


class NoLog:
    """Records nothing, for calls that belong to no run."""

    def mask(self, request: Request) -> Request:
        return mask_request(request, Masker())

    def recall(self, request: Request) -> tuple[CallPlace, Reply | None]:
        return CallPlace("", 0, request_hash(request.as_json()), 0), None

    def send(self, place: CallPlace, request: Request, *, role: str, model: str) -> str:  # noqa: ARG002 - the protocol
        return ""

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None: ...
    def complete(self, call_id: str, reply: Reply, *, cost: float | None) -> None: ...
    def fail(self, call_id: str, error: str) -> None: ...
    def rule(self, call_id: str, verdict: str, reason: str) -> None: ...


def mask_request(request: Request, mask: Masker) -> Request:
    """Mask secrets in system prompt and messages; tools and schema come from the program and hold none."""
    messages = tuple(
        replace(
            message, text=mask(message.text), tool_calls=tuple(_mask_call(call, mask) for call in message.tool_calls)
        )
        for message in request.messages
    )
    return replace(request, system=mask(request.system), messages=messages)


def _mask_call(call: ToolCall, mask: Masker) -> ToolCall:
    return replace(call, arguments=mask.masked(dict(call.arguments)))


def _check_count(tokens: int | None) -> int | None:
    """The count, or None if it is impossible."""
    return tokens if tokens is not None and 0 <= tokens < _IMPOSSIBLE_TOKENS else None


def build_reply(record: CallRecord) -> Reply:
    calls: list[dict[str, Any]] = json.loads(record.tool_calls or "[]")
    return Reply(
        text=record.reply or "",
        thinking=record.thinking or "",
        tool_calls=tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls),
        usage=Usage(record.prompt_tokens, record.completion_tokens, bool(record.usage_is_estimated)),
        latency_ms=record.latency_ms or 0,
        finish=cast("Finish", record.finish or "stop"),  # written from a Reply
        model=record.model,
        call_id=record.id,
        recalled=True,
    )
