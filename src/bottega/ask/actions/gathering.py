"""Gather evidence: search results, their neighbours in the graph, and the text of the nearest nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.ask.actions.routing import choose_allowed_mode
from bottega.ask.prompting import (
    format_evidence,
    format_heading,
    format_key_line,
    format_unit,
    get_evidence_budget,
    get_repository,
    get_settings,
    get_token_counter,
    select_relations,
)
from bottega.ask.state import DIRECT, AskState
from bottega.ask.tools import AskRun
from bottega.pipeline import ALLOW, DONE, Params, action
from bottega.retrieve.context import ContextTask, ContextUnit, DetailLevel, join_units

# What the search may take of the budget; the rest is for relations, and for texts of nodes near by.
_SEARCH_SHARE = 0.85
_MOST_ENTRIES = 8
_SHOWN_SHARE = 0.75


class FetchParams(Params):
    mode: Literal["", "hybrid", "semantic", "semantic_rerank", "bm25"] = Field(
        "", description="instead of the routed mode"
    )
    top_k: int = Field(0, ge=0, le=200, description="instead of settings.top_k")
    tokens: int = Field(0, ge=0, description="instead of what the answer's prompt holds; a later step condenses it")


@action(DONE, params=FetchParams)
def fetch_more_context(state: AskState, run: AskRun) -> str:
    """Assemble evidence by the chosen mode; a later search adds to it, and the weakest is dropped."""
    params = run.params_as(FetchParams)
    mode = state.mode if state.mode not in {"", DIRECT} else "hybrid"
    if params.mode or mode != state.mode:
        state.mode = mode = choose_allowed_mode(params.mode or mode, state, run, "chosen by the step")
    query = state.query or state.question_en
    votes = {} if state.asked else state.votes
    task = ContextTask(_prepend_question(query, state), mode=mode, fusion=get_settings(run).hybrid_fusion, votes=votes)
    limit = params.top_k or get_settings(run).top_k

    def assemble() -> dict[str, list[dict[str, object]]]:
        tokens = params.tokens or int(get_evidence_budget(state, run) * _SEARCH_SHARE)
        package = get_repository(run).assemble(task, tokens, get_token_counter(run, "answer"))
        units = _take_first(package.units, limit)
        known = join_units(state.units, units, tokens, _get_unit_cost(run)) if state.units else units
        best_first = sorted(known, key=lambda unit: unit.rank)
        return {"units": list(map(asdict, best_first)), "decisions": list(map(asdict, package.decisions))}

    found = run.effect("search", assemble)
    _set_units(state, [ContextUnit(**_read_unit(unit)) for unit in found["units"]])
    state.asked = (*state.asked, normalize_query(query))
    state.entries = tuple(_list_entries(state.units))
    state.freshness = run.effect("freshness", lambda: get_repository(run).freshness()["text"])
    for decision in found["decisions"]:
        run.decide("context", decision["what"], f"{decision['level']}, tier {decision['tier']}: {decision['reason']}")
    run.say(f"{mode}: {plural(len(state.units), 'result')} for {query[:80]!r}")
    return DONE


def _read_unit(stored: dict[str, Any]) -> dict[str, Any]:
    """Tuples and levels are lists and texts in JSON."""
    parts = tuple((first, last) for first, last in stored["parts"])
    return {**stored, "parts": parts, "level": DetailLevel(stored["level"])}


def _take_first(units: Sequence[ContextUnit], limit: int) -> list[ContextUnit]:
    """At most so many symbols in full; what is shown by a few lines is not counted."""
    full = sorted(unit.rank for unit in units if unit.level is DetailLevel.PRIMARY)[:limit]
    last = full[-1] if len(full) == limit else None
    return [unit for unit in units if last is None or unit.level is not DetailLevel.PRIMARY or unit.rank <= last]


def _list_entries(units: Sequence[ContextUnit]) -> list[str]:
    """Keys of the best symbols, around which the graph is walked."""
    ranked = sorted(
        (unit for unit in units if unit.node and unit.level is DetailLevel.PRIMARY), key=lambda unit: unit.rank
    )
    return list(dict.fromkeys(unit.node for unit in ranked))[:_MOST_ENTRIES]


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
    """Fetch the text of the nearest nodes, within what the search left of the budget."""
    wanted = [key for key in state.nodes if all(unit.node != key for unit in state.units)]
    wanted = wanted[: get_settings(run).node_text_fetch_top_n]

    def fetch() -> list[dict[str, object]]:
        cost, count = _get_unit_cost(run), get_token_counter(run, "answer")
        free = get_evidence_budget(state, run) - sum(map(cost, state.units)) - sum(map(count, state.relations))
        units = []
        for unit in get_repository(run).texts(wanted):
            if cost(unit) <= free:
                units.append(unit)
                free -= cost(unit)
        return list(map(asdict, units))

    texts = [ContextUnit(**_read_unit(unit)) for unit in run.effect("texts", fetch)] if wanted else []
    _set_units(state, [*state.units, *texts])
    return DONE


def _set_units(state: AskState, units: Sequence[ContextUnit]) -> None:
    """The evidence; all of it is shown unless a step cuts it."""
    state.units, state.shown, state.digest = tuple(units), len(units), ""


def evidence_fits(state: AskState, run: AskRun) -> bool:
    """Whether all evidence fits the token budget of the answer's prompt."""
    state.shown, state.digest = len(state.units), ""
    text = format_evidence(state)
    fits = bool(
        run.effect("evidence fits", lambda: get_token_counter(run, "answer")(text) <= get_evidence_budget(state, run))
    )
    run.decide("evidence", len(state.units), "units fit" if fits else "units exceed their token budget")
    return fits


def shorten_evidence(state: AskState, run: AskRun) -> int:
    """Choose how many units to show in full, leaving room for a line about each other one; return that number."""

    def count_shown() -> int:
        cost, left = get_token_counter(run, "answer"), get_evidence_budget(state, run) * _SHOWN_SHARE
        left -= sum(map(cost, state.relations))
        for count, unit in enumerate(state.units):
            left -= cost(format_unit(count + 1, unit)) + 1
            if left < 0:
                return count
        return len(state.units)

    state.shown = run.effect("shown", count_shown)
    return state.shown


@action(DONE)
def trim_evidence(state: AskState, run: AskRun) -> str:
    """Cut evidence to its token budget: the first units in full, then a line for each other one that fits."""
    shorten_evidence(state, run)
    lines = [format_key_line(number, unit) for number, unit in enumerate(state.units, 1)][state.shown :]
    state.digest = run.effect("digest", lambda: join_fitting_lines(lines, state, run))
    left = len(lines) - len(state.digest.splitlines())
    if left:
        run.say(f"{left} of {len(state.units)} units are left out of the prompt: its token budget is used up")
    return DONE


def join_fitting_lines(lines: list[str], state: AskState, run: AskRun) -> str:
    """The first lines that fit beside the units shown in full, joined."""
    kept: list[str] = []
    cost, limit = get_token_counter(run, "answer"), get_evidence_budget(state, run)
    shown = [format_unit(number, unit) for number, unit in enumerate(state.units[: state.shown], 1)]
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


def _get_unit_cost(run: AskRun) -> Callable[[ContextUnit], int]:
    count = get_token_counter(run, "answer")
    return lambda unit: count(format_heading(unit)) + count(unit.text) + 10


def _fit_relations(lines: list[str], state: AskState, run: AskRun) -> list[str]:
    return list(select_relations(lines, get_evidence_budget(state, run), get_token_counter(run, "answer")))
