"""What may be seen: checked, translated, kept."""

from __future__ import annotations

from functools import partial
from typing import Any

from bottega.ask.actions.translating import translate_out
from bottega.ask.checking import gate_of, sources_of, take_checked
from bottega.ask.claims import MATCH, NO_MATCH, one_line
from bottega.ask.parts import blocks, sentences
from bottega.ask.prompting import knowledge_of
from bottega.ask.state import DIRECT, EVIDENCE_ONLY, AskState
from bottega.ask.summary import summarize
from bottega.ask.tools import AskRun
from bottega.journal import Turn, now
from bottega.pipeline import DONE, action
from bottega.retrieve.package import Piece

_PLACES = 10
_NEAREST = 5


@action(DONE)
def check_citations(state: AskState, run: AskRun) -> str:
    """Re-read every line that the answer cites; move or drop what does not hold, mark what the lines do not show."""
    text = _whole(state.answer_en) if state.is_cut else state.answer_en
    if state.is_cut:
        state.remark("the answer reached its token limit and ends after its last whole sentence")
    checked = gate_of(state, run).check(text)
    dirty: list[str] = run.effect("dirty", lambda: knowledge_of(run).standing()["dirty"]) if state.pieces else []
    take_checked(state, checked, frozenset(dirty))
    run.validate("citations", "passed" if state.grounding == MATCH else "failed", summarize(state.said))
    return DONE


@action(DONE)
def explain_what_is_missing(state: AskState, run: AskRun) -> str:
    """End without an answer: what was searched for, and the nearest places."""
    searched = "; ".join(state.asked)
    nearest = "\n".join(f"- {one_line(piece.span)} {piece.symbol}".rstrip() for piece in state.pieces[:_NEAREST])
    wanted = f" What is missing: {state.query}." if state.query else ""
    near = f"\n\nThe nearest places:\n{nearest}" if nearest else ""
    state.answer_en = f"The evidence found here does not answer the question. Searched for: {searched}.{wanted}{near}"
    state.grounding, state.is_checked = NO_MATCH, True
    run.decide("answer", "none", "the model asked for more data until the loop ended")
    return DONE


@action(DONE)
def answer_with_evidence(state: AskState, run: AskRun) -> str:
    """Answer without a model: the places that matter most, with what the index knows of them."""
    parts = []
    for number, piece in enumerate(state.pieces[:_PLACES], 1):
        facts = run.effect(f"facts {piece.span}", partial(_facts, run, piece))
        name = f"  {piece.symbol} ({piece.kind})" if piece.symbol else ""
        lines = [f"{number}. [{one_line(piece.span)}]{name}"]
        lines += [f"   {piece.signature}"] if piece.signature else []
        lines += [f"   {facts['docstring']}"] if facts["docstring"] else []
        lines += [f"   used by: {', '.join(facts['callers'])}"] if facts["callers"] else []
        lines += [f"   uses: {', '.join(facts['callees'])}"] if facts["callees"] else []
        lines += [f"   last change: {facts['change']}"] if facts["change"] else []
        parts.append("\n".join(lines))
    dirty = run.effect("dirty", lambda: knowledge_of(run).standing()["dirty"])
    state.sources = sources_of({piece.span: piece.symbol for piece in state.pieces[:_PLACES]}, dirty)
    state.answer_en = "\n".join(parts) if parts else "Nothing in this repository matches the question."
    state.grounding = EVIDENCE_ONLY if parts else NO_MATCH
    state.remark("no model answered: these are the places that match best" if parts else "no model answered")
    state.is_checked = True
    return DONE


@action()
def finalize(state: AskState, run: AskRun) -> str:
    """End: nothing leaves unchecked; the answer goes out in the user's language."""
    if not state.is_checked:
        check_citations.run(state, run)
    if state.mode == DIRECT:
        state.remark("answered from general knowledge: nothing here was looked at")
    if state.grounding == EVIDENCE_ONLY:
        state.answer = state.answer_en
    else:
        translate_out(state, run)
    run.outcome("grounding", state.grounding)
    return DONE


@action()
def persist_turn_and_finalize(state: AskState, run: AskRun) -> str:
    """End, and keep the turn in its conversation."""
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
            sources=tuple(f"{source.path}:{source.first}-{source.last}" for source in state.sources),
        )
        run.effect("keep turn", lambda: run.tools.chats.add(state.chat, turn))
    return DONE


def _facts(run: AskRun, piece: Piece) -> dict[str, Any]:
    return knowledge_of(run).facts(piece)


def _whole(text: str) -> str:
    """Up to the last sentence that ended."""
    parts = list(blocks(text))
    if not parts or parts[-1].is_code or not parts[-1].text:
        return text
    ended = sentences(parts[-1].text)[:-1]
    before = "".join(block.lead + block.text for block in parts[:-1])
    kept = before + (parts[-1].lead + "".join(ended) if ended else "")
    return kept.strip() or text
