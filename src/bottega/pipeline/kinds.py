"""Kinds of pipelines: their state, actions, outcomes and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, ValidationError

from bottega.verbs import VerbResult

if TYPE_CHECKING:
    from bottega.pipeline.run import Run


class State(BaseModel):
    """The data of a run between steps; it is stored as JSON."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Params(BaseModel):
    """The parameters that a step passes to its action."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class KindSettings(BaseModel):
    """Keys that a kind's pipelines may set beside `entry_step_id` and `max_steps`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


ActionFunction = Callable[[Any, "Run[Any]"], str]
F = TypeVar("F", bound=Callable[..., str])


@dataclass(frozen=True, slots=True)
class Action:
    """A function over the state. An action without outcomes ends the run.

    A guard bounds a loop: it returns `allow` a bounded number of times, and its other outcomes lead out of the loop.
    `narrowed` returns the outcomes that are possible with given parameters.
    """

    name: str
    run: ActionFunction
    outcomes: frozenset[str]
    params: type[Params] = Params
    guard: bool = False
    purpose: str = ""
    narrowed: Callable[[Any], frozenset[str]] | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Current names of outcomes by their former names, for the hint to a pipeline that uses a former one."""

    def outcomes_with(self, params: Mapping[str, Any]) -> frozenset[str]:
        """The outcomes that are possible with these parameters; all of them when the parameters are invalid."""
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
class Finished:
    """A run that reached its last step."""

    run_id: str
    state: State


class StateResult(VerbResult):
    """The result of a kind without its own result type: the final state."""

    run: str
    state: SerializeAsAny[State]


def state_result(finished: Finished) -> VerbResult:
    return StateResult(run=finished.run_id, state=finished.state)


def no_tools(house: Any) -> AbstractContextManager[Any]:
    """For kinds whose actions need nothing beyond the run."""
    del house
    return nullcontext()


def same_house(house: Any, state: Any) -> Any:
    """For kinds whose runs are started in the house of the call."""
    del state
    return house


def always_ready(pipeline: Any, house: Any) -> None:
    """For kinds whose pipelines run in every house."""
    del pipeline, house


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of pipelines with one state type: what is needed to load, run, resume and render them.

    `package` holds the folders `pipelines/` and `prompts/`. `open_tools` takes the workshop's `House` and yields
    `run.tools`, once for each process that executes the run. `read_result` turns a finished run into the result of the
    kind's verb. `restore_house` takes the house and the first state of a run that is resumed, and returns the house
    that its verb started it in, for instance under other settings. `check_house` raises a `BottegaError` where a
    pipeline cannot run in a house; it is called before a run starts and by `pipelines check`. `subject` is the field
    of the state that says what was asked for; lists of runs show it.
    """

    name: str
    state: type[State]
    actions: Mapping[str, Action]
    settings: type[KindSettings] = KindSettings
    package: str = ""
    open_tools: Callable[[Any], AbstractContextManager[Any]] = no_tools
    read_result: Callable[[Finished], VerbResult] = state_result
    restore_house: Callable[[Any, Any], Any] = same_house
    check_house: Callable[[Any, Any], None] = always_ready
    subject: str = ""

    @property
    def pipelines(self) -> Path | None:
        """The folder of the pipelines that come with the kind."""
        return Path(str(resources.files(self.package) / "pipelines")) if self.package else None


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

    def declare(function: ActionFunction) -> Action:
        docstring = (function.__doc__ or "").strip().splitlines()
        purpose = docstring[0] if docstring else ""
        return Action(
            function.__name__, function, frozenset(outcomes), params, guard, purpose, narrowed, dict(renamed or {})
        )

    return declare


class LoopGuardParams(Params):
    max: int = Field(ge=1, le=100, description="how often the loop may be entered")


@action(ALLOW, "deny", params=LoopGuardParams, guard=True)
def loop_guard(state: State, run: Run[Any]) -> str:
    """Allow a loop a bounded number of rounds."""
    del state
    limit = run.params_as(LoopGuardParams).max
    allowed = run.visits <= limit
    run.decide("loop", ALLOW if allowed else "deny", f"visit {run.visits} of {limit}")
    return ALLOW if allowed else "deny"


COMMON_ACTIONS = {"loop_guard": loop_guard}


def actions_of(kind: Kind) -> dict[str, Action]:
    return {**COMMON_ACTIONS, **kind.actions}
