"""Evidence: places that match, what surrounds them in the graph, and the texts of the nearest nodes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Literal

from pydantic import Field

from bottega.ask.actions.routing import served
from bottega.ask.prompting import (
    evidence_room,
    evidence_text,
    fitting_relations,
    headed,
    keyed,
    knowledge_of,
    measured,
    settings_of,
    shown_piece,
)
from bottega.ask.state import DIRECT, AskState
from bottega.ask.tools import AskRun
from bottega.errors import InputError
from bottega.pipeline import ALLOW, DONE, Params, action
from bottega.retrieve.package import Piece, merged, narrowed, pack, question_terms

_SEARCH_SHARE = 0.7
_MOST_ENTRIES = 8
_SHOWN_SHARE = 0.75


class FetchParams(Params):
    mode: Literal["", "hybrid", "semantic", "semantic_rerank", "bm25"] = Field("", description="instead of the plan's")
    top_k: int = Field(0, ge=0, le=200, description="instead of settings.top_k")


@action(DONE, params=FetchParams)
def fetch_more_context(state: AskState, run: AskRun) -> str:
    """Search by the chosen mode; new places come before those that are known."""
    params = run.params_as(FetchParams)
    mode = state.mode if state.mode not in {"", DIRECT} else "hybrid"
    if params.mode or mode != state.mode:
        state.mode = mode = served(params.mode or mode, state, run, "chosen by the step")
    query = state.query or state.question_en
    limit = params.top_k or settings_of(run).top_k

    def search() -> list[dict[str, object]]:
        knowledge = knowledge_of(run)
        if not state.asked:
            knowledge.renew()
        _refuse_other_index(run)
        pieces = knowledge.search(mode, _with_question(query, state), limit)
        cost = _cost(run)
        chosen = pack(pieces, f"{state.question_en}\n{query}", int(evidence_room(state, run) * _SEARCH_SHARE), cost)
        return [asdict(piece) for piece in chosen]

    found = [Piece(**piece) for piece in run.effect("search", search)]
    state.asked = (*state.asked, normal(query))
    state.pieces = tuple(merged(found, state.pieces))
    state.entries = tuple(dict.fromkeys(piece.node for piece in found if piece.node))[:_MOST_ENTRIES]
    state.freshness = run.effect("freshness", lambda: knowledge_of(run).standing()["text"])
    run.decide("search", len(found), f"{mode}: {query[:200]}")
    run.say(f"{mode}: {len(found)} places for {query[:80]!r}")
    return DONE


@action(DONE)
def expand_dependency_tree(state: AskState, run: AskRun) -> str:
    """Walk the graph around what was found, within its bounds."""
    settings = settings_of(run)

    def walk() -> dict[str, list[str]]:
        return knowledge_of(run).around(
            state.entries,
            depth=settings.graph_max_depth,
            most=settings.graph_max_nodes,
            kinds=settings.graph_edge_allowlist,
        )

    near = run.effect("walk", walk) if state.entries and settings.graph_max_depth else {"nodes": [], "relations": []}
    state.nodes = tuple(near["nodes"])
    state.relations = tuple(run.effect("relations", lambda: _relations(near["relations"], state, run)))
    run.decide("graph", len(state.nodes), f"nodes around {len(state.entries)} entries")
    return DONE


@action(DONE)
def fetch_node_texts(state: AskState, run: AskRun) -> str:
    """Fetch the texts of the nearest nodes by identity."""
    wanted = [key for key in state.nodes if all(piece.node != key for piece in state.pieces)]
    wanted = wanted[: settings_of(run).node_text_fetch_top_n]

    def fetch() -> list[dict[str, object]]:
        cost, terms = _cost(run), question_terms(state.question_en)
        free = int(evidence_room(state, run) * (1 - _SEARCH_SHARE)) - sum(map(measured(run, "answer"), state.relations))
        share = max(0, free) // max(1, len(wanted))
        texts = [narrowed(piece, terms, share, cost) for piece in knowledge_of(run).texts(wanted)]
        return [asdict(piece) for piece in texts if cost(piece) <= share]

    found = [Piece(**piece) for piece in run.effect("texts", fetch)] if wanted else []
    state.pieces = tuple(merged(state.pieces, found))
    return DONE


def evidence_fits(state: AskState, run: AskRun) -> bool:
    """Whether all that was gathered fits the prompt of the answer."""
    state.shown, state.digest = len(state.pieces), ""
    text = evidence_text(state)
    fits = bool(run.effect("evidence fits", lambda: measured(run, "answer")(text) <= evidence_room(state, run)))
    run.decide("evidence", len(state.pieces), "pieces fit" if fits else "pieces are over their budget")
    return fits


def shorten_evidence(state: AskState, run: AskRun) -> int:
    """Show the first pieces in full and leave room for a line about each of the others; how many are shown."""

    def shown() -> int:
        cost, left = measured(run, "answer"), evidence_room(state, run) * _SHOWN_SHARE
        left -= sum(map(cost, state.relations))
        for count, piece in enumerate(state.pieces):
            left -= cost(shown_piece(count + 1, piece)) + 1
            if left < 0:
                return count
        return len(state.pieces)

    state.shown = run.effect("shown", shown)
    return state.shown


@action(DONE)
def trim_evidence(state: AskState, run: AskRun) -> str:
    """Cut evidence to its budget by rule: the first pieces whole, of the others a line each, as many as fit."""
    shorten_evidence(state, run)
    lines = [keyed(number, piece) for number, piece in enumerate(state.pieces, 1)][state.shown :]
    state.digest = run.effect("digest", lambda: fitted(lines, state, run))
    left = len(lines) - len(state.digest.splitlines())
    if left:
        run.say(f"{left} of {len(state.pieces)} pieces are left out of the prompt: it is full")
    return DONE


def fitted(lines: list[str], state: AskState, run: AskRun) -> str:
    """As many lines as fit beside the pieces that are shown."""
    kept: list[str] = []
    cost, limit = measured(run, "answer"), evidence_room(state, run)
    shown = [shown_piece(number, piece) for number, piece in enumerate(state.pieces[: state.shown], 1)]
    spent = sum(map(cost, [*shown, *state.relations])) + 2 * len(shown)
    for line in lines:
        spent += cost(line) + 1
        if spent > limit:
            break
        kept.append(line)
    return "\n".join(kept)


class TurnGuardParams(Params):
    max: int | None = Field(
        None, ge=0, le=100, description="how often the loop may be entered; settings.max_turn_loops"
    )


@action(ALLOW, "deny", params=TurnGuardParams, guard=True)
def loop_guard(state: AskState, run: AskRun) -> str:
    """Let the answer ask for more a bounded number of times, and never twice for the same."""
    limit = run.params_as(TurnGuardParams).max
    limit = settings_of(run).max_turn_loops if limit is None else limit
    again = normal(state.query) in state.asked
    has_words = re.search(r"[^\W\d]{2,}", state.query) is not None
    allowed = run.visits <= limit and not again and has_words
    reason = f"{state.query[:80]!r} was searched for before" if again else f"visit {run.visits} of {limit}"
    run.decide("loop", ALLOW if allowed else "deny", reason)
    return ALLOW if allowed else "deny"


def _with_question(query: str, state: AskState) -> str:
    """The router's query with the question that it was made from: a small router loses the words that matter.

    What an answer asks for afterwards stands alone.
    """
    if state.asked or normal(query) == normal(state.question_en):
        return query
    return f"{state.question_en}\n{query}"


def normal(query: str) -> str:
    return " ".join(query.lower().split()).strip(" .?!")


def _cost(run: AskRun) -> Callable[[Piece], int]:
    count = measured(run, "answer")
    return lambda piece: count(headed(piece)) + count(piece.text) + 10


def _relations(lines: list[str], state: AskState, run: AskRun) -> list[str]:
    return list(fitting_relations(lines, evidence_room(state, run), measured(run, "answer")))


def _refuse_other_index(run: AskRun) -> None:
    """An index of another state than the pipeline names cannot answer for it."""
    wanted = settings_of(run).active_index
    if not wanted:
        return
    standing = knowledge_of(run).standing()
    if wanted != standing["branch"] and not (standing["commit"].startswith(wanted) and len(wanted) >= 7):
        at = f"{standing['branch'] or 'no branch'}, commit {standing['commit'][:9] or 'none'}"
        raise InputError(f"the pipeline asks for the index {wanted}; this one is of {at}", hint="Check that state out.")
