"""Read the request, and load earlier turns."""

from __future__ import annotations

from typing import Any

from bottega.amounts import plural
from bottega.models import Request
from bottega.pipeline import DONE, action
from bottega.source import detect_requested_language, language_named
from bottega.write.actions.coding import build_coder_request
from bottega.write.request import parse_request as parse
from bottega.write.state import WriteState
from bottega.write.tools import WriteRun

_OUTCOMES = {
    "code_raw": "raw",
    "review_only": "review_only",
    "code_reviewed": "reviewed",
    "code_reviewed_ctx": "reviewed_ctx",
}


@action("raw", "review_only", "reviewed", "reviewed_ctx")
def parse_request(state: WriteState, run: WriteRun) -> str:
    """Read the tag, the mode and the language of the request."""
    parsed = parse(state.original_prompt, mode=state.mode_flag)
    state.mode = parsed.mode
    state.prompt = parsed.prompt
    state.language, reason = _choose_language(state)
    run.decide("mode", parsed.mode, "tag or flag" if parsed.mode != "code_reviewed" else "default")
    run.decide("language", state.language, reason)
    return _OUTCOMES[parsed.mode]


@action(DONE)
def load_history(state: WriteState, run: WriteRun) -> str:
    """Put earlier turns before the request: the newest that fit, printed oldest first."""
    wanted = state.rules.context_records
    records: list[dict[str, str]] = run.effect("history", lambda: _read_recent(run, wanted))
    kept: list[str] = []
    for record in records:
        candidate = _join_turns([_render_turn(record), *kept])
        if _count_free_tokens(build_coder_request(state, context=candidate), run) < 0:
            break
        kept.insert(0, _render_turn(record))
    state.context = _join_turns(kept)
    run.decide(
        "history",
        len(kept),
        f"{len(kept)} of {plural(len(records), 'earlier turn')} fit the window",
    )
    if len(kept) < len(records):
        run.say(f"{len(records) - len(kept)} of {plural(len(records), 'earlier turn')} left out: the window is full")
    return DONE


@action(DONE)
def take_as_draft(state: WriteState, run: WriteRun) -> str:
    """Treat the request as code that is already written."""
    state.draft = state.current = state.prompt + "\n"
    run.decide("draft", "the request", "review-only")
    return DONE


def _choose_language(state: WriteState) -> tuple[str, str]:
    if state.language_flag:
        named = language_named(state.language_flag)
        return (named.name if named else state.language_flag), "flag"
    asked = detect_requested_language(state.prompt)
    if asked is not None:
        return asked.name, "named in the request"
    default = language_named(state.rules.language)
    return (default.name if default else state.rules.language), "setting write.language"


def _read_recent(run: WriteRun, wanted: int) -> list[dict[str, str]]:
    """Newest first. Turns without a request or a result are passed over before counting, not after."""
    found: list[dict[str, str]] = []
    for record in run.tools.history.newest():
        request = record["normalized_prompt"] or record["original_prompt"]
        if request and record["final_output"]:
            found.append({"request": str(request), "output": str(record["final_output"])})
        if len(found) == wanted:
            break
    return found


def _render_turn(record: dict[str, Any]) -> str:
    return f"User request:\n{record['request']}\n\nAssistant code:\n{record['output'].rstrip()}\n"


def _join_turns(turns: list[str]) -> str:
    return "\n".join(turns) + "\n" if turns else ""


def _count_free_tokens(request: Request, run: WriteRun) -> int:
    config = run.roster.router.resolve("coding", request.stage)
    return run.roster.ledger.account(config, request).free
