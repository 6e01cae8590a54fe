"""What a pipeline is made of: actions over a kind's state, and the outcomes each may return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from bottega.pipeline.run import Run


class State(BaseModel):
    """Everything a run knows between steps; it must survive as JSON."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Params(BaseModel):
    """Keys that a step gives its action."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class KindSettings(BaseModel):
    """Keys that a kind's pipelines may set beside `entry_step_id` and `max_steps`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


ActionFunction = Callable[[Any, "Run[Any]"], str]
F = TypeVar("F", bound=Callable[..., str])


@dataclass(frozen=True, slots=True)
class Action:
    """A function over the state. An action without outcomes ends the run.

    A guard bounds a loop: it returns `allow` a bounded number of times, whatever else it returns leads out.
    `narrowed` says which of its outcomes an action may return with the parameters that a step gives it.
    """

    name: str
    run: ActionFunction
    outcomes: frozenset[str]
    params: type[Params] = Params
    guard: bool = False
    purpose: str = ""
    narrowed: Callable[[Any], frozenset[str]] | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Outcomes under the names they had once, for the hint to a pipeline that still uses those."""

    def outcomes_with(self, params: Mapping[str, Any]) -> frozenset[str]:
        """Of a step; all of them when its parameters are not what they should be."""
        if self.narrowed is None:
            return self.outcomes
        try:
            return self.narrowed(self.params.model_validate(dict(params)))
        except ValidationError:
            return self.outcomes

    @property
    def is_last(self) -> bool:
        return not self.outcomes


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of pipelines: its state, the actions it offers, the settings it reads."""

    name: str
    state: type[State]
    actions: Mapping[str, Action]
    settings: type[KindSettings] = KindSettings


DONE = "done"
ALLOW = "allow"


def action(
    *outcomes: str,
    params: type[Params] = Params,
    guard: bool = False,
    narrowed: Callable[[Any], frozenset[str]] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> Callable[[ActionFunction], Action]:
    """Declare an action: `@action("pass", "fail")`. Without outcomes it ends the run."""

    def declared(function: ActionFunction) -> Action:
        purpose = (function.__doc__ or "").strip().splitlines()
        told = purpose[0] if purpose else ""
        return Action(
            function.__name__, function, frozenset(outcomes), params, guard, told, narrowed, dict(renamed or {})
        )

    return declared


class LoopGuardParams(Params):
    max: int = Field(ge=1, le=100, description="how often the loop may be entered")


@action(ALLOW, "deny", params=LoopGuardParams, guard=True)
def loop_guard(state: State, run: Run[Any]) -> str:
    """Let a loop go round a bounded number of times."""
    del state
    limit = run.params_as(LoopGuardParams).max
    allowed = run.visits <= limit
    run.decide("loop", ALLOW if allowed else "deny", f"visit {run.visits} of {limit}")
    return ALLOW if allowed else "deny"


COMMON_ACTIONS = {"loop_guard": loop_guard}


def actions_of(kind: Kind) -> dict[str, Action]:
    return {**COMMON_ACTIONS, **kind.actions}
