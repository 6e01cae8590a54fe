"""Choose how to search, and which step follows a reply."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from bottega.ask.contracts import ABSENT, ANSWER, PREMISE, REQUEST, ROUTES
from bottega.ask.prompting import get_settings
from bottega.ask.state import DIRECT, MODES, AskState
from bottega.ask.tools import AskRun
from bottega.pipeline import Params, action

# An exact term: text in quotes or backticks, a path, a call, a name with a capital or a `_` inside.
_EXACT_TERM = re.compile(r"`[^`]+`|\"[^\"]+\"|\w/\w|\w\(\)|[a-z][A-Z]|\w_\w|\w::\w|\w\.\w")
_FEW_WORDS = 6
_ANSWERS = {ANSWER: "answer", ABSENT: "answer", PREMISE: "answer", REQUEST: "requesting_data"}


@action("given", "open")
def take_given_mode(state: AskState, run: AskRun) -> str:
    """Use the mode given with --mode, if any."""
    if not state.mode_flag:
        return "open"
    state.mode, state.query = choose_allowed_mode(state.mode_flag, state, run, "given with --mode"), state.question_en
    return "given"


@action("bm25", "hybrid")
def route_by_rule(state: AskState, run: AskRun) -> str:
    """Choose without a model: bm25 for a few words with a name or quoted text, hybrid for the rest."""
    words = state.question_en.split()
    has_exact_term = len(words) <= _FEW_WORDS and bool(_EXACT_TERM.search(state.question_en))
    state.mode = choose_allowed_mode("bm25" if has_exact_term else "hybrid", state, run, "chosen by rule")
    state.query = state.question_en
    return "bm25" if state.mode == "bm25" else "hybrid"


class PrefixParams(Params):
    prefixes: Literal["router", "answer"] = Field("router", description="whose prefixes are read")


def _list_outcomes(params: PrefixParams) -> frozenset[str]:
    return frozenset(ROUTES.values()) if params.prefixes == "router" else frozenset(_ANSWERS.values())


@action(*ROUTES.values(), *_ANSWERS.values(), params=PrefixParams, narrowed=_list_outcomes)
def handle_prefix(state: AskState, run: AskRun) -> str:
    """Follow the prefix of the last reply; without one from the router, search for the question itself."""
    if run.params_as(PrefixParams).prefixes == "answer":
        return _ANSWERS[state.prefix or ANSWER]
    mode = ROUTES.get(state.prefix, "")
    if not mode:
        mode, state.reply = "hybrid", state.question_en
        state.remark("the router gave no usable line: searching for the question itself")
        run.decide("mode", mode, "no usable line from the router")
    elif mode != DIRECT:
        mode = choose_allowed_mode(mode, state, run, "chosen by the router")
    state.mode = mode
    state.query = state.reply or state.question_en
    return mode


def choose_allowed_mode(mode: str, state: AskState, run: AskRun, reason: str) -> str:
    """Return `mode` if the pipeline allows it, otherwise the first allowed one of `MODES`."""
    allowed = get_settings(run).retrieval_modes
    if mode in allowed:
        run.decide("mode", mode, reason)
        return mode
    replacement = next(candidate for candidate in MODES if candidate in allowed)
    state.remark(f"{mode} is not among retrieval_modes: searching by {replacement}")
    run.decide("mode", replacement, f"{mode} is not among retrieval_modes")
    return replacement
