"""The coder: drafts, more drafts, corrections."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from bottega.errors import InputError, ReplyRejected
from bottega.models import Request
from bottega.pipeline import DONE, Params, action, fan_out
from bottega.source import language_named
from bottega.write.asking import ask_for_code, build_request, fenced
from bottega.write.state import Candidate, WriteState
from bottega.write.tools import WriteRun


def build_coder_request(state: WriteState, *, context: str | None = None) -> Request:
    context = state.context if context is None else context
    heading = "User request:\n" if context else ""
    return build_request(
        state,
        "coder",
        "write.coder",
        language_named(state.language),
        context=context,
        request=f"{heading}{state.prompt}",
    )


@action("raw", "draft")
def call_coder(state: WriteState, run: WriteRun) -> str:
    """Write a first draft."""
    code = ask_for_code(state, run, build_coder_request(state), role="coding")
    if code.tag and not state.language_flag:
        _take_language_of_fence(state, run, code.tag)
    state.draft = state.current = code.text
    state.candidates = (Candidate(code=code.text, source="draft"),)
    return "raw" if state.mode == "code_raw" else "draft"


class CodersParams(Params):
    count: int = Field(2, ge=1, le=16, description="drafts beside the first")
    temperature: float = Field(0.8, ge=0, le=2)


@action(DONE, params=CodersParams)
def call_coders(state: WriteState, run: WriteRun) -> str:
    """Write more drafts of the same request, each with a seed of its own."""
    params = run.params_as(CodersParams)
    first = build_coder_request(state)

    def draft(seed: int) -> str:
        varied = replace(first, temperature=params.temperature, seed=seed)
        return ask_for_code(state, run, varied, role="coding").text

    landed = fan_out(range(1, params.count + 1), draft, limit=run.tools.parallel, on_progress=run.count("drafts"))
    known = {candidate.code for candidate in state.candidates}
    more = []
    for entry in landed:
        if entry.error is not None and not isinstance(entry.error, ReplyRejected):
            raise entry.error
        if entry.error is not None:
            run.decide(f"draft {entry.item}", "dropped", str(entry.error))
        elif entry.value() not in known:
            known.add(entry.value())
            more.append(Candidate(code=entry.value(), source=f"draft {entry.item}"))
    state.candidates = (*state.candidates, *more)
    return DONE


class FixerParams(Params):
    temperature: float = Field(0.8, ge=0, le=2, description="of every attempt after the first")


@action(DONE, params=FixerParams)
def call_fixer(state: WriteState, run: WriteRun) -> str:
    """Tell the coder what failed: first to correct its code, then to write it anew, each time with another seed.

    A small model seldom corrects its own mistake; it more often gets the code right when it starts over.
    """
    last = state.candidates[-1] if state.candidates else None
    if last is None or last.report is None:
        raise InputError("call_fixer needs a step run_tests before it")
    failures = "\n".join(f"- {failure}" for failure in last.report.failures[:3])
    request = _request_correction(state, last, failures)
    if run.visits > 1:
        temperature = run.params_as(FixerParams).temperature
        request = replace(_request_fresh_start(state, failures), temperature=temperature, seed=run.visits)
    try:
        code = ask_for_code(state, run, request, role="coding").text
    except ReplyRejected as error:
        run.decide("fix", "dropped", str(error))
        code = last.code
    state.candidates = (*state.candidates, Candidate(code=code, source=f"fix {run.visits}"))
    state.current = code
    return DONE


def _request_correction(state: WriteState, last: Candidate, failures: str) -> Request:
    return build_request(
        state,
        "fix",
        "write.fixer",
        language_named(state.language),
        request=state.prompt,
        code=fenced(last.code, state.language.lower()),
        failures=failures,
    )


def _request_fresh_start(state: WriteState, failures: str) -> Request:
    warning = f"{state.prompt}\n\nAn earlier attempt went wrong here, so take care:\n{failures}"
    request = build_coder_request(state.model_copy(update={"prompt": warning}))
    return replace(request, stage="write.fixer")


def _take_language_of_fence(state: WriteState, run: WriteRun, tag: str) -> None:
    """Take the language that the model labels its code block with, rather than the default."""
    labelled = language_named(tag)
    if labelled is not None and labelled.name != state.language:
        run.decide("language", labelled.name, f"the draft's fence says {tag}")
        state.language = labelled.name
