"""Gather evidence: search results, their neighbours in the graph, and the text of the nearest nodes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.ask.actions.routing import choose_allowed_mode
from bottega.ask.prompting import (
    format_chunk,
    format_evidence,
    format_heading,
    format_key_line,
    get_evidence_budget,
    get_repository,
    get_settings,
    get_token_counter,
    select_relations,
)
from bottega.ask.state import DIRECT, AskState
from bottega.ask.tools import AskRun
from bottega.errors import InputError
from bottega.pipeline import ALLOW, DONE, Params, action
from bottega.retrieve.package import ContextChunk, merge_chunks, narrow_chunk, pack, query_terms

_SEARCH_SHARE = 0.7
_MOST_ENTRIES = 8
_SHOWN_SHARE = 0.75


class FetchParams(Params):
    mode: Literal["", "hybrid", "semantic", "semantic_rerank", "bm25"] = Field(
        "", description="instead of the routed mode"
    )
    top_k: int = Field(0, ge=0, le=200, description="instead of settings.top_k")


@action(DONE, params=FetchParams)
def fetch_more_context(state: AskState, run: AskRun) -> str:
    """Search by the chosen mode; new chunks come before those already found."""
    params = run.params_as(FetchParams)
    mode = state.mode if state.mode not in {"", DIRECT} else "hybrid"
    if params.mode or mode != state.mode:
        state.mode = mode = choose_allowed_mode(params.mode or mode, state, run, "chosen by the step")
    query = state.query or state.question_en
    limit = params.top_k or get_settings(run).top_k

    def search() -> list[dict[str, object]]:
        knowledge = get_repository(run)
        _refuse_other_index(run)
        chunks = knowledge.search(mode, _prepend_question(query, state), limit)
        cost = _get_chunk_cost(run)
        chosen = pack(
            chunks, f"{state.question_en}\n{query}", int(get_evidence_budget(state, run) * _SEARCH_SHARE), cost
        )
        return [asdict(chunk) for chunk in chosen]

    results = [ContextChunk(**chunk) for chunk in run.effect("search", search)]
    state.asked = (*state.asked, normalize_query(query))
    state.chunks = tuple(merge_chunks(results, state.chunks))
    state.entries = tuple(dict.fromkeys(chunk.node for chunk in results if chunk.node))[:_MOST_ENTRIES]
    state.freshness = run.effect("freshness", lambda: get_repository(run).freshness()["text"])
    run.decide("search", len(results), f"{mode}: {query[:200]}")
    run.say(f"{mode}: {plural(len(results), 'result')} for {query[:80]!r}")
    return DONE


@action(DONE)
def expand_dependency_tree(state: AskState, run: AskRun) -> str:
    """Walk the graph around the search results, up to the depth and node limits."""
    settings = get_settings(run)

    def walk() -> dict[str, list[str]]:
        return get_repository(run).find_neighbourhood(
            state.entries,
            depth=settings.graph_max_depth,
            most=settings.graph_max_nodes,
            kinds=settings.graph_edge_allowlist,
        )

    near = run.effect("walk", walk) if state.entries and settings.graph_max_depth else {"nodes": [], "relations": []}
    state.nodes = tuple(near["nodes"])
    state.relations = tuple(run.effect("relations", lambda: _fit_relations(near["relations"], state, run)))
    run.decide("graph", len(state.nodes), f"nodes around {len(state.entries)} entries")
    return DONE


@action(DONE)
def fetch_node_texts(state: AskState, run: AskRun) -> str:
    """Fetch the text of the nearest nodes."""
    wanted = [key for key in state.nodes if all(chunk.node != key for chunk in state.chunks)]
    wanted = wanted[: get_settings(run).node_text_fetch_top_n]

    def fetch() -> list[dict[str, object]]:
        cost, terms = _get_chunk_cost(run), query_terms(state.question_en)
        free = int(get_evidence_budget(state, run) * (1 - _SEARCH_SHARE)) - sum(
            map(get_token_counter(run, "answer"), state.relations)
        )
        share = max(0, free) // max(1, len(wanted))
        texts = [narrow_chunk(chunk, terms, share, cost) for chunk in get_repository(run).texts(wanted)]
        return [asdict(chunk) for chunk in texts if cost(chunk) <= share]

    node_texts = [ContextChunk(**chunk) for chunk in run.effect("texts", fetch)] if wanted else []
    state.chunks = tuple(merge_chunks(state.chunks, node_texts))
    return DONE


def evidence_fits(state: AskState, run: AskRun) -> bool:
    """Whether all evidence fits the token budget of the answer's prompt."""
    state.shown, state.digest = len(state.chunks), ""
    text = format_evidence(state)
    fits = bool(
        run.effect("evidence fits", lambda: get_token_counter(run, "answer")(text) <= get_evidence_budget(state, run))
    )
    run.decide("evidence", len(state.chunks), "chunks fit" if fits else "chunks exceed their token budget")
    return fits


def shorten_evidence(state: AskState, run: AskRun) -> int:
    """Choose how many chunks to show in full, leaving room for a line about each other one; return that number."""

    def count_shown() -> int:
        cost, left = get_token_counter(run, "answer"), get_evidence_budget(state, run) * _SHOWN_SHARE
        left -= sum(map(cost, state.relations))
        for count, chunk in enumerate(state.chunks):
            left -= cost(format_chunk(count + 1, chunk)) + 1
            if left < 0:
                return count
        return len(state.chunks)

    state.shown = run.effect("shown", count_shown)
    return state.shown


@action(DONE)
def trim_evidence(state: AskState, run: AskRun) -> str:
    """Cut evidence to its token budget: the first chunks in full, then a line for each other one that fits."""
    shorten_evidence(state, run)
    lines = [format_key_line(number, chunk) for number, chunk in enumerate(state.chunks, 1)][state.shown :]
    state.digest = run.effect("digest", lambda: join_fitting_lines(lines, state, run))
    left = len(lines) - len(state.digest.splitlines())
    if left:
        run.say(f"{left} of {len(state.chunks)} chunks are left out of the prompt: its token budget is used up")
    return DONE


def join_fitting_lines(lines: list[str], state: AskState, run: AskRun) -> str:
    """The first lines that fit beside the chunks shown in full, joined."""
    kept: list[str] = []
    cost, limit = get_token_counter(run, "answer"), get_evidence_budget(state, run)
    shown = [format_chunk(number, chunk) for number, chunk in enumerate(state.chunks[: state.shown], 1)]
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
    """Let the answer request more data a bounded number of times, and never the same data twice."""
    limit = run.params_as(TurnGuardParams).max
    limit = get_settings(run).max_turn_loops if limit is None else limit
    is_repeated = normalize_query(state.query) in state.asked
    has_words = re.search(r"[^\W\d]{2,}", state.query) is not None
    allowed = run.visits <= limit and not is_repeated and has_words
    reason = f"{state.query[:80]!r} was searched for before" if is_repeated else f"visit {run.visits} of {limit}"
    run.decide("loop", ALLOW if allowed else "deny", reason)
    return ALLOW if allowed else "deny"


def _prepend_question(query: str, state: AskState) -> str:
    """The router's query with the question before it: a small router drops words that matter.

    A later query, which an answer requests, is used alone.
    """
    if state.asked or normalize_query(query) == normalize_query(state.question_en):
        return query
    return f"{state.question_en}\n{query}"


def normalize_query(query: str) -> str:
    return " ".join(query.lower().split()).strip(" .?!")


def _get_chunk_cost(run: AskRun) -> Callable[[ContextChunk], int]:
    count = get_token_counter(run, "answer")
    return lambda chunk: count(format_heading(chunk)) + count(chunk.text) + 10


def _fit_relations(lines: list[str], state: AskState, run: AskRun) -> list[str]:
    return list(select_relations(lines, get_evidence_budget(state, run), get_token_counter(run, "answer")))


def _refuse_other_index(run: AskRun) -> None:
    """Raise `InputError` when the index is of another branch or commit than the pipeline's `active_index`."""
    wanted = get_settings(run).active_index
    if not wanted:
        return
    fresh = get_repository(run).freshness()
    if wanted != fresh["branch"] and not (fresh["commit"].startswith(wanted) and len(wanted) >= 7):
        at = f"{fresh['branch'] or 'no branch'}, commit {fresh['commit'][:9] or 'none'}"
        raise InputError(f"the pipeline needs the index of {wanted}; this one is of {at}", hint=f"Check out {wanted}.")
