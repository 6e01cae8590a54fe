"""Records that the contracts store. The secrets are put together at run time, and open nothing."""

from __future__ import annotations

from typing import Any

from bottega.journal import CallPlace, Dismissal, Event, EventKind, Journal, Turn, now

SECRET = "ghp_" + "".join(("Zq8wXk3vTn", "7rYb2cLm9p", "Jd4fHs6gAe", "1uRo5iWt0y"))
VARIABLE_SECRET = "/".join(("tok", "Xk3vTn7rYb+2cLm"))
ENVIRON = {"SERVICE_TOKEN": VARIABLE_SECRET}
SECRET_TEXT = f"first {SECRET}, then {VARIABLE_SECRET}."

HISTORY_RECORD: dict[str, Any] = {
    "ts": "2026-01-02T03:04:05Z",
    "mode": "reviewed",
    "original_prompt": "sort a list",
    "normalized_prompt": "sort a list",
    "coder_output": "sorted(x)",
    "reviewer_output": None,
    "final_output": "sorted(x)",
    "escalated": False,
    "escalation_reason": None,
    "judge": {"confidence": 9},
}


def begin(
    journal: Journal, *, pipeline: str = "write", kind: str = "write", text: str = "sort a list", run_id: str = ""
) -> str:
    return journal.runs.begin(
        pipeline=pipeline,
        kind=kind,
        definition={"name": pipeline, "note": text},
        state={"prompt": text},
        settings={"note": text},
        version="1",
        run_id=run_id,
    )


def end(journal: Journal, *runs: str) -> None:
    for run_id in runs:
        journal.runs.end(run_id, "done", final_state={})


def send(journal: Journal, run_id: str, *, seq: int = 1, nth: int = 0, text: str = "hello") -> str:
    return journal.calls.send(
        CallPlace(run_id, seq, "hash", nth),
        stage="write.coder",
        role="coding",
        model="scripted/one",
        request={"messages": [{"role": "user", "content": text}]},
        prompt_version="v1",
    )


def complete(
    journal: Journal,
    call_id: str,
    *,
    text: str = "sorted(x)",
    reply_tokens: int | None = 5,
    cost: float | None = 0.5,
) -> None:
    journal.calls.complete(
        call_id,
        reply=text,
        thinking=text,
        tool_calls=[{"name": "read", "arguments": {"path": text}}],
        finish="stop",
        prompt_tokens=10,
        completion_tokens=reply_tokens,
        latency_ms=7,
        cost=cost,
    )


def event(run_id: str, seq: int, kind: EventKind = "remark", *, text: str = "") -> Event:
    return Event(run_id, seq, now(), "draft", kind, name="write.coder", text=text, done=seq, total=9)


def turn(run: str, text: str = "why?", **values: Any) -> Turn:
    return Turn(now(), run, text, text, text, text, **values)


def dismissal(mark: str = "m1", *, because: str = "tested by hand", until: str = "9999") -> Dismissal:
    return Dismissal(mark, "a title", "till/money.py", because, "ada", now(), until, "2026-01-01/001")


def history_record(**changed: Any) -> dict[str, Any]:
    return {**HISTORY_RECORD, **changed}
