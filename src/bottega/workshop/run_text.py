"""Runs for a terminal: a line each, or the whole story of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bottega.amounts import choose_form, plural

if TYPE_CHECKING:
    from bottega.journal import CallRecord, Note, StepRecord, Usage
    from bottega.workshop.runs import RunEntry

_SHORT_ID = 8
_LONGEST_SUBJECT = 60


def render_line(run: RunEntry) -> str:
    usage = run.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    return (
        f"{run.id[-_SHORT_ID:]}  {run.created_at[:19]}  {run.status:<11}  {run.pipeline:<14} "
        f"{usage.calls:>3} {choose_form(usage.calls, 'call'):<5} {tokens:>8} tokens  {_find_subject(run)}\n"
    )


def render_story(
    run: RunEntry, steps: Sequence[StepRecord], calls: Sequence[CallRecord], notes: Sequence[Note], *, with_calls: bool
) -> str:
    """Steps in order, each with its calls and notes, then the outcomes."""
    usage = run.usage
    cost = "cost unknown" if usage.cost is None else f"${usage.cost:.4f}"
    lines = [
        f"run {run.id}",
        f"  {run.pipeline} · {run.status} · began {run.created_at[:19]}Z · bottega {run.version}",
        f"  {plural(usage.calls, 'call')}, {_format_tokens(usage)}, {cost}",
        *([f"  {run.error}"] if run.error else []),
    ]
    for step in steps:
        lines += ["", f"{step.seq:>3} {step.step_id} [{step.action}] {step.outcome or step.status}{_duration(step)}"]
        lines += [f"      failed: {step.error}"] if step.error else []
        for call in calls:
            lines += _call_lines(call, with_calls=with_calls) if call.seq == step.seq else []
        lines += [_note_line(note) for note in notes if note.seq == step.seq and note.what != "effect"]
    outcomes = [f"  {note.name}: {note.value} {note.reason}".rstrip() for note in notes if note.what == "outcome"]
    return "\n".join([*lines, *(["", "outcome", *outcomes] if outcomes else [])]) + "\n"


def _format_tokens(usage: Usage) -> str:
    estimated = " (some estimated: the server reported none)" if usage.is_estimated else ""
    return f"{usage.prompt_tokens} + {usage.completion_tokens} tokens{estimated}"


def _find_subject(run: RunEntry) -> str:
    """What was asked for, in the words of the request."""
    name = (run.definition or {}).get("subject", "")
    value = (run.input or {}).get(name, "") if name else ""
    line = " ".join((" ".join(map(str, value)) if isinstance(value, list) else str(value)).split())
    return line if len(line) <= _LONGEST_SUBJECT else line[: _LONGEST_SUBJECT - 1] + "…"


def _call_lines(call: CallRecord, *, with_calls: bool) -> list[str]:
    verdict = f" {call.verdict}" if call.verdict else ""
    reason = f" ({call.verdict_reason})" if call.verdict_reason else ""
    problem = f" {call.error}" if call.error else ""
    seconds = (call.latency_ms or 0) / 1000
    about = "about " if call.usage_is_estimated else ""
    lines = [
        f"      call {call.stage} {call.model} {call.status}{verdict}{reason}{problem}"
        f" · {about}{call.prompt_tokens or 0} + {call.completion_tokens or 0} tokens · {seconds:.1f} s"
    ]
    for title, text in _call_parts(call) if with_calls else ():
        lines.append(f"        ── {title}")
        lines += [f"        {line}" for line in text.splitlines()]
    return lines


def _call_parts(call: CallRecord) -> list[tuple[str, str]]:
    try:
        request: dict[str, Any] = json.loads(call.request)
    except ValueError:
        request = {"system": f"damaged: {call.request}"}
    parts = [("system", str(request["system"]))] if request.get("system") else []
    parts += [(message["role"], message["text"]) for message in request.get("messages", ())]
    parts += [("thinking", call.thinking)] if call.thinking else []
    return [*parts, ("reply", call.reply or "")]


def _note_line(note: Note) -> str:
    reason = f": {note.reason}" if note.reason else ""
    return f"      {note.what} {note.name} = {note.value}{reason}"


def _duration(step: StepRecord) -> str:
    if not step.ended_at:
        return ""
    seconds = (datetime.fromisoformat(step.ended_at) - datetime.fromisoformat(step.started_at)).total_seconds()
    return f" · {seconds:.2f} s"
