"""A pass that looks at nothing and submits once: the survey, the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bottega.investigate.actions.scanning import means_of, meter_of
from bottega.investigate.loop import converse
from bottega.investigate.state import InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.models import Request, Tool, ToolCall

MOST_TURNS = 3
Told = TypeVar("Told")


def submitted(
    state: InvestigateState,
    run: InvestigateRun,
    request: Request,
    tool: Tool,
    *,
    label: str,
    read: Callable[[ToolCall], Told | None],
    wanted: str,
) -> tuple[Told | None, str]:
    """What a model submits with the one tool it has, and why there is nothing; the run's account is kept."""
    found: list[Told] = []

    def use(call: ToolCall, room: int) -> str:
        del room  # nothing is shown
        value = read(call) if call.name == tool.name else None
        if value is None:
            return f"error: {wanted}"
        found.append(value)
        return "submitted"

    meter = meter_of(state, run)
    ended = converse(
        run,
        request,
        [tool],
        label=label,
        means=means_of(state, run),
        most_turns=MOST_TURNS,
        meter=meter,
        use=use,
        is_done=lambda: bool(found),
    )
    state.turns, state.tokens = meter.turns, meter.tokens
    return (found[0] if found else None), ended.reason
