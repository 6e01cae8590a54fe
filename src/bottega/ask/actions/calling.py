"""The model calls of `ask`, and the token budgets that are checked before them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from bottega.ask.actions.gathering import evidence_fits, join_fitting_lines, shorten_evidence, trim_evidence
from bottega.ask.actions.own_prompts import ANSWER_OUTPUT, ModelRole, ask_own_prompt
from bottega.ask.actions.recalling import history_fits, summarize_history
from bottega.ask.contracts import (
    ANSWER,
    REQUEST,
    AnswerContract,
    NumberedContract,
    ParsedAnswer,
    PlainContract,
    read_complete_statements,
    router_contract,
)
from bottega.ask.prompting import (
    ROLES,
    build_request,
    count_free_tokens,
    format_evidence,
    format_key_line,
    format_unit,
    list_shown_numbers,
    uses_numbered_answers,
)
from bottega.ask.state import AskState
from bottega.ask.streaming import AnswerStream
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.models import Contract, Request, fenced
from bottega.pipeline import DONE, Params, action
from bottega.source import quote_line

_UNREADABLE = "I cannot say: the model's reply could not be read."
_LONGEST_QUERY = 400


class BudgetParams(Params):
    of: Literal["history", "evidence"] = Field("evidence", description="what is measured")


@action("ok", "over_limit", params=BudgetParams)
def check_context_budget(state: AskState, run: AskRun) -> str:
    """Check whether history or evidence fits its token budget."""
    fits = history_fits if run.params_as(BudgetParams).of == "history" else evidence_fits
    return "ok" if fits(state, run) else "over_limit"


class CallParams(Params):
    prompt_key: Literal["", "router", "answer", "direct", "summarize_history", "summarize_context"] = Field(
        "", description="which prompt that ships"
    )
    prompt: str = Field("", max_length=500, description="a prompt file instead: a path below the root, or user:NAME")
    role: ModelRole = Field("reasoning", description="whose model answers the prompt file")
    output: str = Field(ANSWER_OUTPUT, pattern=r"^[a-z][a-z_]{0,40}$", description="the name of its reply")

    @model_validator(mode="after")
    def _name_one_prompt(self) -> CallParams:
        if bool(self.prompt_key) == bool(self.prompt):
            raise ValueError("name either prompt_key or prompt")
        return self


@action(DONE, params=CallParams)
def call_model(state: AskState, run: AskRun) -> str:
    """Ask a model: the router, the answer, a summary, or a prompt of the pipeline's own."""
    params = run.params_as(CallParams)
    if params.prompt:
        ask_own_prompt(state, run, params.prompt, params.role, params.output)
        return DONE
    {
        "router": _route,
        "answer": _answer,
        "direct": _answer_directly,
        "summarize_history": summarize_history,
        "summarize_context": _summarize_context,
    }[params.prompt_key](state, run)
    return DONE


def _route(state: AskState, run: AskRun) -> None:
    """Ask the router for one line with a prefix; without a valid one, the prefix is empty."""
    request = build_request("router", history=state.history, question=state.question_en)
    try:
        line = run.ask(request, router_contract, role=ROLES["router"]).value
    except ReplyRejected as error:
        run.decide("router", "none", str(error))
        state.prefix = state.reply = ""
        return
    state.prefix, state.reply = line.prefix, line.text


def _answer(state: AskState, run: AskRun) -> None:
    numbered = bool(state.units) and run.effect("numbered", lambda: uses_numbered_answers(run))
    request = build_request(
        "answer_numbered" if numbered else "answer",
        history=state.history,
        evidence=format_evidence(state),
        question=state.question_en,
    )
    _ask_for_answer(
        state, run, "answer", request, NumberedContract(list_shown_numbers(state)) if numbered else AnswerContract()
    )


def _answer_directly(state: AskState, run: AskRun) -> None:
    request = build_request("direct", history=state.history, question=state.question_en)
    state.units, state.shown = (), 0
    _ask_for_answer(state, run, "direct", request, AnswerContract())


def _ask_for_answer(
    state: AskState, run: AskRun, name: str, request: Request, contract: Contract[ParsedAnswer]
) -> None:
    """Ask for an answer and stream it; of a reply that breaks the contract, use what can be read."""
    stream = AnswerStream(state, run) if state.is_english else None
    try:
        answer = run.ask(request, contract, role=ROLES[name], on_text=stream.feed if stream else None).value
    except ReplyRejected as error:
        is_numbered = isinstance(contract, NumberedContract)
        text = read_complete_statements(error.text) if is_numbered else error.text
        answer = ParsedAnswer(ANSWER, text.strip() or _UNREADABLE)
        state.remark(f"the answer is incomplete: the reply broke its contract ({error.reason})")
        run.decide("answer", "as far as it can be read", str(error))
    state.prefix, state.is_cut = answer.prefix, answer.is_cut
    if answer.prefix != REQUEST:
        state.answer_en, state.is_checked = answer.text, False
    else:
        state.query = answer.text.splitlines()[0].strip()[:_LONGEST_QUERY]


def _summarize_context(state: AskState, run: AskRun) -> None:
    """Have a model summarize the units that do not fit, a line each; keys missing from its summary are added."""
    shorten_evidence(state, run)
    rest = list(enumerate(state.units, 1))[state.shown :]
    evidence: str = run.effect("to summarise", lambda: _format_fitting_units(state, run))
    try:
        request = build_request("summarize_context", words="200", question=state.question_en, evidence=evidence)
        text = run.ask(request, PlainContract(), role=ROLES["summarize_context"]).value
    except (ReplyRejected, PromptTooLong) as error:
        state.remark(f"evidence is cut by rule: the model gave no usable summary ({error})")
        trim_evidence.run(state, run)
        return
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    missing = [format_key_line(number, unit) for number, unit in rest if (unit.node or str(unit.span)) not in text]
    if missing:
        run.decide("summary", len(missing), "keys missing from the summary are added")
    state.digest = run.effect("digest", lambda: join_fitting_lines([*missing, *lines], state, run))


def _format_fitting_units(state: AskState, run: AskRun) -> str:
    """The units after those shown, with their keys, as many as the summarizer's context window holds."""
    config = run.roster.router.resolve(ROLES["summarize_context"], "ask.summarize_context")
    left = count_free_tokens(run, "summarize_context", words="200", question=state.question_en, evidence="")
    parts = []
    for number, unit in list(enumerate(state.units, 1))[state.shown :]:
        part = f"key:\n{fenced(quote_line(unit.node or str(unit.span)))}\n{format_unit(number, unit)}"
        left -= run.roster.ledger.estimate(config.id, part) + 2
        if left < 0:
            break
        parts.append(part)
    return "\n\n".join(parts)
