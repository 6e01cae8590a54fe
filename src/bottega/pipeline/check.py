"""Check a merged pipeline before it runs: every fault is an error, there are no warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from bottega.errors import PipelineError
from bottega.pipeline.kinds import ALLOW, Action, Kind, actions_of
from bottega.pipeline.read import suggest
from bottega.pipeline.spec import Pipeline, Place, StepSpec


def check(pipeline: Pipeline, kind: Kind, settings_places: Mapping[str, Place]) -> None:
    actions = actions_of(kind)
    if not pipeline.steps:
        raise PipelineError(f"{pipeline.place}: the pipeline has no steps")
    _check_settings(pipeline, kind, settings_places)
    if pipeline.entry not in pipeline.steps:
        place = settings_places.get("entry_step_id", pipeline.place)
        raise PipelineError(
            f"{place}: entry_step_id names {pipeline.entry}, which is not a step",
            hint=suggest(pipeline.entry, pipeline.steps),
        )
    for step in pipeline.steps.values():
        _check_step(step, pipeline, kind, actions)
    _refuse_unreachable(pipeline)
    _refuse_unguarded_loops(pipeline, actions)


def _check_settings(pipeline: Pipeline, kind: Kind, places: Mapping[str, Place]) -> None:
    known = ["entry_step_id", "max_steps", *kind.settings.model_fields]
    fault = _find_fault(kind.settings, pipeline.settings, known)
    if fault:
        place = places.get(fault.key, pipeline.place)
        raise PipelineError(f"{place}: settings.{fault}", hint=fault.hint)


def _check_step(step: StepSpec, pipeline: Pipeline, kind: Kind, actions: Mapping[str, Action]) -> None:
    action = actions.get(step.action)
    if action is None:
        raise PipelineError(
            f"{step.place_of('action')}: the kind {kind.name} has no action {step.action}",
            hint=suggest(step.action, actions),
        )
    _check_branches(step, action)
    known = [*action.params.model_fields, "next", *(f"on_{outcome}" for outcome in action.outcomes_with(step.params))]
    fault = _find_fault(action.params, step.params, known)
    if fault:
        raise PipelineError(f"{step.place_of(fault.key)}: step {step.id}: {fault}", hint=fault.hint)
    targets = {f"on_{outcome}": target for outcome, target in step.branches.items()} | (
        {"next": step.next} if step.next else {}
    )
    for key, target in targets.items():
        if target not in pipeline.steps:
            raise PipelineError(
                f"{step.place_of(key)}: step {step.id}: {key} leads to {target}, which is not a step",
                hint=suggest(target, pipeline.steps),
            )


def _check_branches(step: StepSpec, action: Action) -> None:
    outcomes = action.outcomes_with(step.params)
    for outcome in step.branches:
        if outcome not in outcomes:
            raise PipelineError(
                f"{step.place_of(f'on_{outcome}')}: step {step.id}: {action.name} never returns {outcome}",
                hint=_hint_for_outcome(outcome, action, outcomes),
            )
    if action.is_last and step.next:
        raise PipelineError(
            f"{step.place_of('next')}: step {step.id}: {action.name} ends the run, so next leads nowhere"
        )
    if not action.is_last and not step.next:
        missing = sorted(outcomes - set(step.branches))
        if missing:
            wanted = ", ".join(f"on_{outcome}" for outcome in missing)
            raise PipelineError(f"{step.place}: step {step.id}: an outcome without a branch: {wanted} (or next)")
    if step.next and outcomes <= set(step.branches):
        raise PipelineError(f"{step.place_of('next')}: step {step.id}: next is never taken: every outcome has a branch")


def _hint_for_outcome(outcome: str, action: Action, outcomes: frozenset[str]) -> str:
    if outcome in action.renamed:
        return f"{outcome} is called {action.renamed[outcome]} now: write on_{action.renamed[outcome]}."
    return suggest(outcome, outcomes) if outcomes else "This action ends the run."


@dataclass(frozen=True, slots=True)
class _Fault:
    """The first invalid value of a mapping; `path` is its keys from the outermost on."""

    path: tuple[str, ...]
    message: str
    hint: str = ""

    @property
    def key(self) -> str:
        return self.path[0] if self.path else ""

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.message}"


def _find_fault(model: type[BaseModel], values: Mapping[str, object], known: Sequence[str]) -> _Fault | None:
    try:
        model.model_validate(dict(values))
    except ValidationError as error:
        detail = error.errors()[0]
        path = tuple(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            return _Fault(path, "no such key", suggest(path[0], known) if len(path) == 1 else "")
        return _Fault(path, detail["msg"][:1].lower() + detail["msg"][1:])
    return None


def _refuse_unreachable(pipeline: Pipeline) -> None:
    reached = {pipeline.entry}
    pending = [pipeline.entry]
    while pending:
        for target in pipeline.steps[pending.pop()].targets():
            if target not in reached:
                reached.add(target)
                pending.append(target)
    for step in pipeline.steps.values():
        if step.id not in reached:
            raise PipelineError(
                f"{step.place}: the step {step.id} cannot be reached from {pipeline.entry}",
                hint="Lead to it from another step, or drop it (remove: drops a parent's).",
            )


def _refuse_unguarded_loops(pipeline: Pipeline, actions: Mapping[str, Action]) -> None:
    """Refuse a cycle that no guard bounds: without the `allow` branches of guards the graph must have no cycle."""
    followers = {name: _list_unbounded_targets(step, actions[step.action]) for name, step in pipeline.steps.items()}
    cycle = _find_cycle(followers)
    if cycle:
        guarded = any(actions[pipeline.steps[name].action].guard for name in cycle)
        raise PipelineError(
            f"{pipeline.steps[cycle[0]].place}: a loop without a guard: {' -> '.join([*cycle, cycle[0]])}",
            hint="The guard's outcomes other than allow must lead out of the loop."
            if guarded
            else "Put a step with the action loop_guard into the loop.",
        )


def _list_unbounded_targets(step: StepSpec, action: Action) -> set[str]:
    """The steps that may follow a step any number of times; a guard bounds how often it returns `allow`."""
    if not action.guard:
        return set(step.targets())
    return {target for outcome in action.outcomes - {ALLOW} if (target := step.target(outcome))}


def _find_cycle(followers: dict[str, set[str]]) -> list[str]:
    """The steps of one cycle, empty when there is none: steps without followers are removed until none is left."""
    while dead := [name for name, targets in followers.items() if not targets]:
        followers = {name: targets - set(dead) for name, targets in followers.items() if name not in dead}
    if not followers:
        return []
    path = [next(iter(followers))]
    while (following := min(followers[path[-1]])) not in path:
        path.append(following)
    return path[path.index(following) :]
