"""`bottega runs`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, opened, settings_options
from bottega.cli.plain import json_text, plain

if TYPE_CHECKING:
    from bottega.journal import CallRecord, Note, RunRecord, StepRecord, Usage
    from bottega.workshop import Workshop

_SHORT = 8


class RunsGroup(click.Group):
    """`bottega runs` alone lists."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in {"-h", "--help"}):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=RunsGroup, short_help="Look at what was done: runs, steps, calls, cost.")
def runs() -> None:
    """What was done here: every run with its steps, model calls, decisions and cost."""


@runs.command("list", short_help="List runs, the newest first.")
@click.option("-n", "--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many.")
@click.option("--status", type=click.Choice(["running", "done", "failed", "interrupted"]), help="Only these.")
@click.option("--pipeline", metavar="NAME", help="Only runs of this pipeline or kind.")
@format_option()
@settings_options
def list_runs(limit: int, status: str | None, pipeline: str | None, form: str, **shared: Any) -> int:
    """List runs, the newest first."""
    with opened(**shared) as workshop:
        found = workshop.journal.runs.newest(limit, status=status, pipeline=pipeline) if workshop.has_journal else []
        rows = [(run, _standing(workshop, run), workshop.journal.runs.usage(run.id)) for run in found]
    if form == "json":
        entries = [{**_run_json(run), "status": standing, "usage": asdict(usage)} for run, standing, usage in rows]
        sys.stdout.write(json_text(entries, indent=2))
        return 0
    if not rows:
        sys.stdout.write("no runs yet\n")
    for run, standing, usage in rows:
        tokens = usage.prompt_tokens + usage.completion_tokens
        row = (
            f"{run.id[-_SHORT:]}  {run.created_at[:19]}  {standing:<11}  {run.pipeline:<14} "
            f"{usage.calls:>3} calls {tokens:>8} tokens  {_subject(run)}"
        )
        sys.stdout.write(plain(row) + "\n")
    return 0


@runs.command("show", short_help="One run with its steps, calls and cost.")
@click.argument("run_id", metavar="RUN")
@click.option("--calls", "with_calls", is_flag=True, help="Print prompts and replies too.")
@format_option()
@settings_options
def show(run_id: str, with_calls: bool, form: str, **shared: Any) -> int:
    """Tell the story of RUN: its id, a unique part of it, or `last`."""
    with opened(**shared) as workshop:
        journal = workshop.journal
        run = journal.runs.get(run_id)
        steps, calls, notes = journal.runs.steps(run.id), journal.calls.of_run(run.id), journal.notes.of_run(run.id)
        usage, standing = journal.runs.usage(run.id), _standing(workshop, run)
    if form == "json":
        story = {
            **_run_json(run),
            "status": standing,
            "usage": asdict(usage),
            "steps": [asdict(step) for step in steps],
            "calls": [asdict(call) for call in calls],
            "notes": [asdict(note) for note in notes],
        }
        sys.stdout.write(json_text(story, indent=2))
        return 0
    sys.stdout.write(plain(_story(run, standing, steps, calls, notes, usage, with_calls=with_calls)))
    return 0


@runs.command("gc", short_help="Remove old runs from the journal.")
@click.option("--days", type=click.IntRange(min=1, max=36500), help="Older than this (default: journal.keep_days).")
@click.option("--keep", type=click.IntRange(0, 10**9), help="Keep at least this many (default: journal.keep_runs).")
@settings_options
def gc(days: int | None, keep: int | None, **shared: Any) -> int:
    """Remove runs beyond the retention settings; the newest and those under way always stay."""
    with opened(**shared) as workshop:
        settings = workshop.settings.journal
        days = settings.keep_days if days is None else days
        keep = settings.keep_runs if keep is None else keep
        before = (datetime.now(UTC) - timedelta(days=days)).isoformat() if days else ""
        removed = workshop.journal.collect(before=before, keep=keep) if before else 0
    sys.stdout.write(f"{removed} runs removed\n")
    return 0


def _standing(workshop: Workshop, run: RunRecord) -> str:
    """A run that says it is running, and whose process is gone, was interrupted."""
    if run.status == "running" and not workshop.journal.sessions.is_alive(run.id):
        return "interrupted"
    return run.status


def _subject(run: RunRecord) -> str:
    text = str(_content(run.input).get("original_prompt", ""))
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _content(text: str) -> dict[str, Any]:
    """JSON of the journal; what is damaged is shown as such rather than hiding all the rest."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"damaged": text}


def _run_json(run: RunRecord) -> dict[str, Any]:
    content = asdict(run)
    for key in ("definition", "input", "settings", "final_state"):
        content[key] = _content(content[key]) if content[key] else None
    return content


def _story(
    run: RunRecord,
    standing: str,
    steps: list[StepRecord],
    calls: list[CallRecord],
    notes: list[Note],
    usage: Usage,
    *,
    with_calls: bool,
) -> str:
    lines = [
        f"run {run.id}",
        f"  {run.pipeline} · {standing} · began {run.created_at[:19]}Z · bottega {run.version}",
        f"  {usage.calls} calls, {usage.prompt_tokens} + {usage.completion_tokens} tokens, {_money(usage.cost)}",
    ]
    if run.error:
        lines.append(f"  {run.error}")
    for step in steps:
        lines.append("")
        lines.append(f"{step.seq:>3} {step.step_id} [{step.action}] {step.outcome or step.status}{_took(step)}")
        if step.error:
            lines.append(f"      failed: {step.error}")
        for call in (call for call in calls if call.seq == step.seq):
            lines += _call_lines(call, with_calls=with_calls)
        lines += [_note_line(note) for note in notes if note.seq == step.seq and note.what != "effect"]
    outcomes = [f"  {note.name}: {note.value} {note.reason}".rstrip() for note in notes if note.what == "outcome"]
    if outcomes:
        lines += ["", "outcome", *outcomes]
    return "\n".join(lines) + "\n"


def _call_lines(call: CallRecord, *, with_calls: bool) -> list[str]:
    verdict = f" {call.verdict}" if call.verdict else ""
    told = f" ({call.verdict_reason})" if call.verdict_reason else ""
    problem = f" {call.error}" if call.error else ""
    seconds = (call.latency_ms or 0) / 1000
    lines = [
        f"      call {call.stage} {call.model} {call.status}{verdict}{told}{problem}"
        f" · {call.prompt_tokens or 0} + {call.completion_tokens or 0} tokens · {seconds:.1f} s"
    ]
    if with_calls:
        request = _content(call.request)
        parts = [("system", request["system"])] if request.get("system") else []
        parts += [(message["role"], message["text"]) for message in request.get("messages", ())]
        parts += [("thinking", call.thinking)] if call.thinking else []
        parts += [("reply", call.reply or "")]
        for title, text in parts:
            lines.append(f"        ── {title}")
            lines += [f"        {line}" for line in text.splitlines()]
    return lines


def _note_line(note: Note) -> str:
    reason = f": {note.reason}" if note.reason else ""
    return f"      {note.what} {note.name} = {note.value}{reason}"


def _took(step: StepRecord) -> str:
    if not step.ended_at:
        return ""
    took = datetime.fromisoformat(step.ended_at) - datetime.fromisoformat(step.started_at)
    return f" · {took.total_seconds():.2f} s"


def _money(cost: float | None) -> str:
    return "cost unknown" if cost is None else f"${cost:.4f}"
