"""The last steps of `ask`: check the answer, translate it, store the turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from bottega.ask.actions.translating import translate_out
from bottega.ask.checking import create_checker, list_sources, store_checked_answer
from bottega.ask.claims import ABSENCE, MATCH, NO_MATCH, format_span, without_uncited
from bottega.ask.contracts import ABSENT, PREMISE
from bottega.ask.parts import split_blocks, split_sentences
from bottega.ask.prompting import get_repository
from bottega.ask.state import DIRECT, EVIDENCE_ONLY, AskState
from bottega.ask.summary import summarize
from bottega.ask.tools import AskRun
from bottega.journal import Turn, now
from bottega.pipeline import DONE, action
from bottega.retrieve.context import ContextUnit, DetailLevel

_PREMISE = "The question assumes something that the code does not show:"
_MOST_SPANS = 10
_NEAREST = 5


@action(DONE)
def check_citations(state: AskState, run: AskRun) -> str:
    """Compare every sentence with the lines it cites; move or drop citations that do not hold, mark the sentence."""
    text = _drop_unfinished_sentence(state.answer_en) if state.is_cut else state.answer_en
    if state.prefix == ABSENT:
        _say_absent(text, state, run)
        return DONE
    if state.prefix == PREMISE:
        text = f"{_PREMISE}\n\n{text}"
    if state.is_cut:
        state.remark("the answer reached its token limit and ends after its last whole sentence")
    checked = create_checker(state, run).check(text)
    store_checked_answer(state, checked, _list_changed(state, run))
    run.validate("citations", "passed" if state.grounding == MATCH else "failed", summarize(state.said))
    return DONE


def _say_absent(text: str, state: AskState, run: AskRun) -> None:
    """An honest negative: sentences that cite are checked, the others claim nothing that lines could show."""
    searched = "; ".join(state.asked)
    checked = create_checker(state, run).check(text)
    store_checked_answer(state, without_uncited(checked), _list_changed(state, run))
    state.answer_en = f"Not in this repository, as far as was searched ({searched}).\n\n{state.answer_en}"
    state.grounding = ABSENCE
    run.validate("citations", "unknown", f"the model found nothing; searched for: {searched}")


@action(DONE)
def explain_what_is_missing(state: AskState, run: AskRun) -> str:
    """End without an answer: list the queries and the best matches."""
    searched = "; ".join(state.asked)
    best = _list_best(state)[:_NEAREST]
    nearest = "\n".join(f"- {format_span(unit.span)} {unit.symbol}".rstrip() for unit in best)
    wanted = f" What is missing: {state.query}." if state.query else ""
    near = f"\n\nThe best matches:\n{nearest}" if nearest else ""
    state.answer_en = f"The evidence found here does not answer the question. Searched for: {searched}.{wanted}{near}"
    state.grounding, state.is_checked = NO_MATCH, True
    run.decide("answer", "none", "the model asked for more data until the loop ended")
    return DONE


@action(DONE)
def answer_with_evidence(state: AskState, run: AskRun) -> str:
    """Answer without a model: the spans that match best, with what the index records about them."""
    parts = []
    best = _list_best(state)[:_MOST_SPANS]
    for number, unit in enumerate(best, 1):
        facts = run.effect(f"facts {unit.span}", partial(_read_facts, run, unit))
        name = f"  {unit.symbol} ({unit.kind})" if unit.symbol else ""
        lines = [f"{number}. [{format_span(unit.span)}]{name}"]
        lines += [f"   {unit.signature}"] if unit.signature else []
        lines += [f"   {facts['docstring']}"] if facts["docstring"] else []
        lines += [f"   used by: {', '.join(facts['callers'])}"] if facts["callers"] else []
        lines += [f"   uses: {', '.join(facts['callees'])}"] if facts["callees"] else []
        lines += [f"   last change: {facts['change']}"] if facts["change"] else []
        parts.append("\n".join(lines))
    dirty = run.effect("dirty", lambda: get_repository(run).freshness()["dirty"])
    state.sources = list_sources({unit.span: unit.symbol for unit in best}, dirty)
    state.answer_en = "\n".join(parts) if parts else "Nothing in this repository matches the question."
    state.grounding = EVIDENCE_ONLY if parts else NO_MATCH
    state.remark("no model answered: these spans match best" if parts else "no model answered")
    state.is_checked = True
    return DONE


@action()
def finalize(state: AskState, run: AskRun) -> str:
    """End the run: check the answer if it is not checked yet, and translate it into the user's language."""
    if not state.is_checked:
        check_citations.run(state, run)
    if state.mode == DIRECT:
        state.remark("answered from the model's general knowledge: the repository was not searched")
    if state.grounding == EVIDENCE_ONLY:
        state.answer = state.answer_en
    else:
        translate_out(state, run)
    run.outcome("grounding", state.grounding)
    return DONE


@action()
def persist_turn_and_finalize(state: AskState, run: AskRun) -> str:
    """End the run, and store the turn in its conversation."""
    finalize.run(state, run)
    if state.chat:
        at = run.effect("now", now)
        turn = Turn(
            at=at,
            run=run.id,
            question=state.question,
            question_en=state.question_en,
            answer=state.answer,
            answer_en=state.answer_en,
            grounding=state.grounding,
            sources=tuple(source.span for source in state.sources),
        )
        run.effect("keep turn", lambda: run.tools.chats.add(state.chat, turn))
    return DONE


def _list_changed(state: AskState, run: AskRun) -> frozenset[str]:
    """Files with changes that are not committed; none where nothing was looked at."""
    return frozenset(run.effect("dirty", lambda: get_repository(run).freshness()["dirty"]) if state.units else ())


def _list_best(state: AskState) -> list[ContextUnit]:
    """The units that are shown in full, the best first; others only where there are none."""
    primary = [unit for unit in state.units if unit.level is DetailLevel.PRIMARY]
    return sorted(primary or state.units, key=lambda unit: unit.rank)


def _read_facts(run: AskRun, unit: ContextUnit) -> dict[str, Any]:
    return get_repository(run).facts(unit)


def _drop_unfinished_sentence(text: str) -> str:
    """The text up to the end of its last complete sentence."""
    blocks = list(split_blocks(text))
    if not blocks or blocks[-1].is_code or not blocks[-1].text:
        return text
    sentences = split_sentences(blocks[-1].text)[:-1]
    before = "".join(block.lead + block.text for block in blocks[:-1])
    complete = before + (blocks[-1].lead + "".join(sentences) if sentences else "")
    return complete.strip() or text
