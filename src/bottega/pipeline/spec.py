"""A pipeline as a value: a graph of steps, loaded, merged and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a pipeline file, for error messages."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One step: its action, the step that follows each outcome, and the action's parameters."""

    id: str
    action: str
    branches: Mapping[str, str] = field(default_factory=dict)
    next: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    place: Place = Place("", 0)
    places: Mapping[str, Place] = field(default_factory=dict)

    def target(self, outcome: str) -> str | None:
        return self.branches.get(outcome, self.next)

    def targets(self) -> tuple[str, ...]:
        """Every step that may follow this one, without duplicates, in file order."""
        return tuple(dict.fromkeys([*self.branches.values(), *([self.next] if self.next else [])]))

    def place_of(self, key: str) -> Place:
        return self.places.get(key, self.place)

    def as_json(self) -> dict[str, Any]:
        branches = {f"on_{outcome}": target for outcome, target in self.branches.items()}
        following = {"next": self.next} if self.next else {}
        return {"id": self.id, "action": self.action, **self.params, **branches, **following}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A merged pipeline. `lineage` names the pipelines it was merged from, the root first."""

    name: str
    kind: str
    description: str
    entry: str
    max_steps: int
    settings: Mapping[str, Any]
    steps: Mapping[str, StepSpec]
    place: Place
    lineage: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The merged definition, which `Pipeline.of_json` reads and `pipelines show` prints."""
        return {
            "name": self.name,
            "kind": self.kind,
            **({"description": self.description} if self.description else {}),
            "settings": {"entry_step_id": self.entry, "max_steps": self.max_steps, **self.settings},
            "steps": [step.as_json() for step in self.steps.values()],
        }

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Pipeline:
        """Read a recorded definition; it was checked before it was recorded."""
        settings = dict(content["settings"])
        steps = [_step(entry) for entry in content["steps"]]
        return cls(
            name=content["name"],
            kind=content["kind"],
            description=content.get("description", ""),
            entry=settings.pop("entry_step_id"),
            max_steps=settings.pop("max_steps"),
            settings=settings,
            steps={step.id: step for step in steps},
            place=Place("journal", 0),
        )


def _step(entry: Mapping[str, Any]) -> StepSpec:
    own = {"id", "action", "next"}
    return StepSpec(
        id=entry["id"],
        action=entry["action"],
        branches={key[3:]: target for key, target in entry.items() if key.startswith("on_")},
        next=entry.get("next"),
        params={key: value for key, value in entry.items() if key not in own and not key.startswith("on_")},
    )
