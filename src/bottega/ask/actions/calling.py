"""The model calls of `ask`, and the budgets before them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bottega.ask.actions.gathering import evidence_fits, fitted, shorten_evidence, trim_evidence
from bottega.ask.actions.recalling import history_fits, summarize_history
from bottega.ask.contracts import (
    ANSWER,
    AnswerContract,
    NumberedContract,
    PlainContract,
    Spoken,
    router_contract,
    statements_so_far,
)
from bottega.ask.prompting import (
    ROLES,
    chooses_numbers,
    evidence_text,
    keyed,
    request_of,
    room,
    shown_numbers,
    shown_piece,
)
from bottega.ask.speaking import Speaker
from bottega.ask.state import AskState
from bottega.ask.tools import AskRun
from bottega.errors import PromptTooLong, ReplyRejected
from bottega.models import Contract, Request, fenced
from bottega.pipeline import DONE, Params, action
from bottega.source import quote_line

_UNREADABLE = "I cannot say: the model gave nothing that can be read."
_LONGEST_QUERY = 400


class BudgetParams(Params):
    of: Literal["history", "evidence"] = Field("evidence", description="what is weighed")


@action("ok", "over_limit", params=BudgetParams)
def check_context_budget(state: AskState, run: AskRun) -> str:
    """Weigh history or evidence against its budget."""
    fits = history_fits if run.params_as(BudgetParams).of == "history" else evidence_fits
    return "ok" if fits(state, run) else "over_limit"


class CallParams(Params):
    prompt_key: Literal["router", "answer", "direct", "summarize_history", "summarize_context"] = Field(
        description="which prompt"
    )


@action(DONE, params=CallParams)
def call_model(state: AskState, run: AskRun) -> str:
    """Ask a model: the router, the answer, or a summary."""
    {
        "router": _route,
        "answer": _answer,
        "direct": _direct,
        "summarize_history": summarize_history,
        "summarize_context": _summarize_context,
    }[run.params_as(CallParams).prompt_key](state, run)
    return DONE


def _route(state: AskState, run: AskRun) -> None:
    """One line with one prefix, after at most one repair; otherwise no prefix at all."""
    request = request_of("router", history=state.history, question=state.question_en)
    try:
        line = run.ask(request, router_contract, role=ROLES["router"]).value
    except ReplyRejected as error:
        run.decide("router", "none", str(error))
        state.prefix = state.reply = ""
        return
    state.prefix, state.reply = line.prefix, line.text


def _answer(state: AskState, run: AskRun) -> None:
    numbered = bool(state.pieces) and run.effect("numbered", lambda: chooses_numbers(run))
    request = request_of(
        "answer_numbered" if numbered else "answer",
        history=state.history,
        evidence=evidence_text(state),
        question=state.question_en,
    )
    _speak(state, run, "answer", request, NumberedContract(shown_numbers(state)) if numbered else AnswerContract())


def _direct(state: AskState, run: AskRun) -> None:
    request = request_of("direct", history=state.history, question=state.question_en)
    state.pieces, state.shown = (), 0
    _speak(state, run, "direct", request, AnswerContract())


def _speak(state: AskState, run: AskRun, name: str, request: Request, contract: Contract[Spoken]) -> None:
    speaker = Speaker(state, run) if state.is_english else None
    try:
        said = run.ask(request, contract, role=ROLES[name], on_text=speaker.hear if speaker else None).value
    except ReplyRejected as error:
        is_numbered = isinstance(contract, NumberedContract)
        said = Spoken(ANSWER, (statements_so_far(error.text) if is_numbered else error.text).strip() or _UNREADABLE)
        state.remark(f"the answer did not keep its form, and is taken as far as it can be read ({error.reason})")
        run.decide("answer", "as far as it can be read", str(error))
    state.prefix, state.is_cut = said.prefix, said.is_cut
    if said.prefix == ANSWER:
        state.answer_en, state.is_checked = said.text, False
    else:
        state.query = said.text.splitlines()[0].strip()[:_LONGEST_QUERY]


def _summarize_context(state: AskState, run: AskRun) -> None:
    """A model says in a line each what the pieces that do not fit hold; a key that it loses is put back."""
    shorten_evidence(state, run)
    rest = list(enumerate(state.pieces, 1))[state.shown :]
    shown: str = run.effect("to summarise", lambda: _that_fit(state, run))
    try:
        request = request_of("summarize_context", words="200", question=state.question_en, evidence=shown)
        text = run.ask(request, PlainContract(), role=ROLES["summarize_context"]).value
    except (ReplyRejected, PromptTooLong) as error:
        state.remark(f"evidence is trimmed by rule: no usable summary ({error})")
        trim_evidence.run(state, run)
        return
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    lost = [keyed(number, piece) for number, piece in rest if (piece.node or str(piece.span)) not in text]
    if lost:
        run.decide("summary", len(lost), "keys that the summary lost are put back")
    state.digest = run.effect("digest", lambda: fitted([*lost, *lines], state, run))


def _that_fit(state: AskState, run: AskRun) -> str:
    """Pieces beyond those shown, with their keys, as many as the summariser can read at once."""
    config = run.roster.router.resolve(ROLES["summarize_context"], "ask.summarize_context")
    left = room(run, "summarize_context", words="200", question=state.question_en, evidence="")
    parts = []
    for number, piece in list(enumerate(state.pieces, 1))[state.shown :]:
        part = f"key:\n{fenced(quote_line(piece.node or str(piece.span)))}\n{shown_piece(number, piece)}"
        left -= run.roster.ledger.estimate(config.id, part) + 2
        if left < 0:
            break
        parts.append(part)
    return "\n\n".join(parts)
