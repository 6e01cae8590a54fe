"""The request that a reviewer gets: its persona, the intent, what is known of the change, and one portion of it."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.models import Request, fenced, load_prompt
from bottega.review.actions.panel import name_reviewers, read_persona
from bottega.review.actions.subject import get_settings, open_rules
from bottega.review.state import Reviewer, ReviewState
from bottega.review.tools import ReviewRun
from bottega.source import estimate_tokens, quote_line
from bottega.source.secrets import mask_secrets

ROLE = "reviewer"
_STAGE = "review.reviewer"
_SMALLEST_PORTION = 200
_VERIFIED_SOURCES = frozenset({"tool", "parse", "rule", "secret", "danger"})
_MOST_VERIFIED = 10
# Notes take at most this part of a window: the change comes first.
_NOTES_SHARE = 8
_SHORT_WINDOW = 16_000


def compute_portion_limit(state: ReviewState, run: ReviewRun) -> int:
    """How many tokens of the change fit beside the rest of the prompt in the smallest window of the panel."""
    limit = get_settings(run).portion_tokens
    for reviewer in state.panel:
        config = run.roster.router.named(reviewer.model)
        request = request_review(reviewer, "", "1 of 1", state, run)
        free = run.roster.ledger.account(config, request).free
        limit = min(limit, int(free * (0.8 if config.context_window > _SHORT_WINDOW else 0.6)))
    return max(_SMALLEST_PORTION, limit)


def request_review(reviewer: Reviewer, change: str, portion: str, state: ReviewState, run: ReviewRun) -> Request:
    prompt = load_prompt("bottega.review", "reviewer")
    room = run.roster.router.named(reviewer.model).context_window // _NOTES_SHARE
    values = {
        "persona": run.tools.mask(mask_secrets(_render_persona(reviewer, state, run))),
        "name": reviewer.name,
        "intent": _render_intent(state),
        "notes": _render_notes(state, room),
        "portion": portion,
        "change": fenced(change, "diff"),
    }
    return Request.of(
        prompt.fill(**values), system=prompt.fill_system(**values), stage=_STAGE, prompt_version=prompt.version
    )


def _render_persona(reviewer: Reviewer, state: ReviewState, run: ReviewRun) -> str:
    personas = get_settings(run).personas
    return read_persona(
        personas[name_reviewers(personas).index(reviewer.name)], open_rules(state, run), run.tools.user_files
    )


def _render_intent(state: ReviewState) -> str:
    return f"What the author says about it:\n\n{fenced(state.intent)}\n\n" if state.intent.strip() else ""


def _render_notes(state: ReviewState, room: int) -> str:
    """What is known beside the change, up to `room` tokens; it comes from the repository, so it is fenced."""
    kept: list[str] = []
    for line in map(quote_line, _list_known_facts(state)):
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    parts = [f"What is known about it:\n\n{fenced(chr(10).join(kept))}\n\n"] if kept else []
    for note in state.notes:
        room -= estimate_tokens(note) + 20
        if room >= 0:
            parts.append(f"A note of the project for assistants:\n\n{fenced(note)}\n\n")
    return "".join(parts)


def _list_known_facts(state: ReviewState) -> Iterator[str]:
    """Most useful first: what is verified, who uses what changed, what was checked, and what is not shown."""
    verified = [finding for finding in state.findings if finding.source in _VERIFIED_SOURCES]
    yield from (f"{finding.span}: {finding.problem}" for finding in verified[:_MOST_VERIFIED])
    yield from state.around
    yield from (f"{check.name}: {check.detail}" for check in state.checks if check.status == "ran")
    yield from (f"{path}: {kind}" for path, kind in sorted(state.classes.items()))
    yield from (f"{file.path}: {file.reason}, not shown" for file in state.left_out)
