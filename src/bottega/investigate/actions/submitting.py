"""A pass without exploring tools, in which a model submits once: the survey, the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bottega.errors import InputError
from bottega.investigate.context import create_turn_budget, get_model_profile
from bottega.investigate.state import InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.models import Request, Tool
from bottega.pipeline.toolloop import SchemaSubmit, ToolLoop

_MAX_TURNS = 3
T = TypeVar("T")


def ask_to_submit(
    state: InvestigateState,
    run: InvestigateRun,
    request: Request,
    tool: Tool,
    *,
    label: str,
    parse: Callable[[Any], T | None],
    reminder: str,
) -> tuple[T | None, str]:
    """The value that a model submits, or `None` and why there is none. What `parse` gives `None` for is refused."""

    def read(arguments: Mapping[str, Any]) -> T:
        value = parse(arguments)
        if value is None:
            raise InputError(reminder)
        return value

    budget = create_turn_budget(state, run)
    loop = ToolLoop(
        tools=(),
        submit=SchemaSubmit(tool, read),
        model=get_model_profile(state, run),
        max_turns=_MAX_TURNS,
        budget=budget,
    )
    result = loop.run(run, request, label=label)
    state.turns, state.tokens = budget.turns, budget.tokens
    return result.submitted, result.reason
