"""A step's call log that also emits an event when a call is sent, completed or failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bottega.models import JournalLog, Reply, Request

if TYPE_CHECKING:
    from bottega.journal import CallPlace, CallStore, Masker
    from bottega.pipeline.events import EventLog


class EventCallLog(JournalLog):
    """Writes each call to the journal, then emits its event."""

    def __init__(self, calls: CallStore, mask: Masker, run_id: str, seq: int, *, events: EventLog, step: str) -> None:
        super().__init__(calls, mask, run_id, seq)
        self._events = events
        self._step = step
        self._stages: dict[str, str] = {}

    def send(self, place: CallPlace, request: Request, *, role: str, model: str) -> str:
        call_id = super().send(place, request, role=role, model=model)
        self._stages[call_id] = request.stage or role
        self._emit(call_id, f"sent to {model}")
        return call_id

    def complete(self, call_id: str, reply: Reply, *, cost: float | None) -> None:
        super().complete(call_id, reply, cost=cost)
        usage = reply.usage
        tokens = f"{usage.prompt_tokens or 0} + {usage.completion_tokens or 0} tokens"
        self._emit(call_id, f"completed, {tokens}, {reply.latency_ms / 1000:.1f} s")

    def fail(self, call_id: str, error: str) -> None:
        super().fail(call_id, error)
        self._emit(call_id, f"failed: {error}")

    def _emit(self, call_id: str, text: str) -> None:
        self._events.emit("call", self._step, name=self._stages.get(call_id, ""), text=text)
