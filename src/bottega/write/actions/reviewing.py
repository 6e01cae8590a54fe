"""The reviewer: corrects what the judge doubts and what does not parse."""

from __future__ import annotations

import re
from typing import Literal

from bottega.errors import ReplyRejected
from bottega.pipeline import DONE, Params, action
from bottega.source import language_named, render_comment
from bottega.write.asking import add_history, ask_for_code, build_request, fenced
from bottega.write.checks import check_syntax_by_tool
from bottega.write.state import WriteState
from bottega.write.tools import WriteRun

_NOTE = re.compile(
    r"\A\s*(?:#|//|--|/\*|<!--|;+|%+|\"\"\"|')?\s*REVIEWER_NOTE:\s*(.*?)\s*(?:\*/|-->|\"\"\")?[ \t]*(?:\n|\Z)"
)


class ReviewerParams(Params):
    persona: Literal["reviewer", "security"] = "reviewer"


@action(DONE, params=ReviewerParams)
def call_reviewer(state: WriteState, run: WriteRun) -> str:
    """Correct the code and return only code."""
    if state.draft is None:
        state.draft = state.current = state.prompt + "\n"
    state.judged_basis = state.judged_review if state.current == state.reviewed else state.judged_draft
    state.basis = state.current
    persona = run.params_as(ReviewerParams).persona
    state.reviewed = _ask_reviewer(state, run, prompt=persona, finding=_render_objection(state))
    return DONE


@action(DONE)
def mend_syntax(state: WriteState, run: WriteRun) -> str:
    """Give the reviewer code that does not parse or compile, with the exact error."""
    refusal = f"does not {state.compiled.what.removesuffix('s') if state.compiled else 'parse'}: {state.fault}"
    finding = f"\nIt {refusal}. Correct that.\n"
    state.escalated = True
    state.escalation_reason = state.escalation_reason or refusal
    state.reviewed = state.current = _ask_reviewer(state, run, prompt="reviewer", finding=finding)
    return DONE


@action("ok", "fault")
def check_syntax(state: WriteState, run: WriteRun) -> str:
    """The result must parse, and compile where the tool of its language is here, before it leaves."""
    found = check_syntax_by_tool(state.current, state.language, run)
    state.compiled = found
    state.fault = found.detail if found.result == "failed" else ""
    run.validate("syntax", "unknown" if found.result == "not run" else found.result, found.detail or found.by)
    return "fault" if state.fault else "ok"


def _ask_reviewer(state: WriteState, run: WriteRun, *, prompt: str, finding: str) -> str:
    """The reviewer's code; when it gives none, the code as it was, and the record says so."""
    language = language_named(state.language)
    request = build_request(
        state,
        prompt,
        f"write.{prompt}",
        language,
        request="" if state.mode == "review_only" else f"Request:\n{add_history(state, state.prompt)}\n\n",
        code=fenced(state.current, state.language.lower()),
        finding=finding,
    )
    try:
        code = ask_for_code(state, run, request, role="reviewer").text
    except ReplyRejected as error:
        run.decide("review", "not usable", str(error))
        run.say(f"the review could not be used: {error.reason}")
        return state.current
    return _normalize_note(code, state.language)


def _render_objection(state: WriteState) -> str:
    """What the judge or the voters hold against the code, as a lead and not as a fact."""
    summary = state.judged_basis.judgement_summary if state.judged_basis else ""
    lead = summary or state.escalation_reason
    return f"\nA judge remarked (which may be wrong): {lead}\n" if lead else ""


def _normalize_note(code: str, language: str) -> str:
    """A REVIEWER_NOTE in the comment syntax of the language, however the reviewer wrote it."""
    found = _NOTE.match(code)
    known = language_named(language)
    if not found or known is None:
        return code
    note = render_comment(known, f"REVIEWER_NOTE: {found.group(1)}")
    rest = code[found.end() :].lstrip("\n")
    return f"{note}\n{rest}" if note else rest
