"""Which way to search, and which way a reply leads."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from bottega.ask.contracts import ANSWER, REQUEST, ROUTES
from bottega.ask.prompting import settings_of
from bottega.ask.state import DIRECT, MODES, AskState
from bottega.ask.tools import AskRun
from bottega.pipeline import Params, action

# What is spelt out: text in quotes or backticks, a path, a call, a name with a capital or a `_` inside.
_SPELT = re.compile(r"`[^`]+`|\"[^\"]+\"|\w/\w|\w\(\)|[a-z][A-Z]|\w_\w|\w::\w|\w\.\w")
_FEW_WORDS = 6
_ANSWERS = {ANSWER: "answer", REQUEST: "requesting_data"}


@action("given", "open")
def take_given_mode(state: AskState, run: AskRun) -> str:
    """Take the mode that the person chose, if any."""
    if not state.mode_flag:
        return "open"
    state.mode, state.query = served(state.mode_flag, state, run, "chosen by the person"), state.question_en
    return "given"


@action("bm25", "hybrid")
def route_by_rule(state: AskState, run: AskRun) -> str:
    """Choose without a model: a few words with a name or a quoted text are looked for as they are."""
    words = state.question_en.split()
    is_spelt = len(words) <= _FEW_WORDS and bool(_SPELT.search(state.question_en))
    state.mode = served("bm25" if is_spelt else "hybrid", state, run, "chosen by rule")
    state.query = state.question_en
    return "bm25" if state.mode == "bm25" else "hybrid"


class PrefixParams(Params):
    prefixes: Literal["router", "answer"] = Field("router", description="whose prefixes are read")


def _outcomes(params: PrefixParams) -> frozenset[str]:
    return frozenset(ROUTES.values()) if params.prefixes == "router" else frozenset(_ANSWERS.values())


@action(*ROUTES.values(), *_ANSWERS.values(), params=PrefixParams, narrowed=_outcomes)
def handle_prefix(state: AskState, run: AskRun) -> str:
    """Follow the prefix of the last reply; a router that gave none searches for the question itself."""
    if run.params_as(PrefixParams).prefixes == "answer":
        return _ANSWERS[state.prefix or ANSWER]
    mode = ROUTES.get(state.prefix, "")
    if not mode:
        mode, state.reply = "hybrid", state.question_en
        state.remark("the router gave no usable line: searching for the question itself")
        run.decide("mode", mode, "no usable line from the router")
    elif mode != DIRECT:
        mode = served(mode, state, run, "chosen by the router")
    state.mode = mode
    state.query = state.reply or state.question_en
    return mode


def served(mode: str, state: AskState, run: AskRun, reason: str) -> str:
    """A mode that the pipeline allows: the one asked for, else the first of a fixed order."""
    allowed = settings_of(run).retrieval_modes
    if mode in allowed:
        run.decide("mode", mode, reason)
        return mode
    instead = next(known for known in MODES if known in allowed)
    state.remark(f"{mode} is not among retrieval_modes: searching by {instead}")
    run.decide("mode", instead, f"{mode} is not among retrieval_modes")
    return instead
