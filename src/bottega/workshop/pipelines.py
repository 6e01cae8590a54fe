"""The verbs about pipelines: list them, show one, check some."""

from __future__ import annotations

from typing import Any, ClassVar

import yaml
from pydantic import Field

from bottega.amounts import plural
from bottega.pipeline import as_mermaid, as_text
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation


class PipelinesRequest(VerbRequest):
    """Every pipeline, where it comes from and what it does."""

    verb: ClassVar[str] = "pipelines"
    uses_models: ClassVar[bool] = False


class PipelineEntry(FrozenValue):
    name: str
    kind: str
    file: str
    description: str


class PipelinesResult(VerbResult):
    pipelines: tuple[PipelineEntry, ...]

    def render(self, form: str = "text") -> str:
        del form
        width = max((len(pipeline.name) for pipeline in self.pipelines), default=0)
        return "".join(f"{pipeline.name:<{width}}  {pipeline.description}\n" for pipeline in self.pipelines)


class PipelineRequest(VerbRequest):
    """One pipeline as it runs, after inheritance."""

    verb: ClassVar[str] = "pipelines.show"
    uses_models: ClassVar[bool] = False

    name: str = Field(description="a pipeline, or its file")


class PipelineResult(VerbResult):
    """`pipeline` is the merged definition; `drawing` and `mermaid` are the same as pictures."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "mermaid")

    pipeline: dict[str, Any]
    lineage: tuple[str, ...]
    drawing: str
    mermaid: str

    def render(self, form: str = "text") -> str:
        if form == "mermaid":
            return self.mermaid
        lineage = f"# from {' -> '.join(self.lineage)}\n" if len(self.lineage) > 1 else ""
        text = yaml.safe_dump({"pipeline": self.pipeline}, sort_keys=False, width=120)
        return f"{lineage}{text}\n{self.drawing}"


class PipelineCheckRequest(VerbRequest):
    """Refuse what could go wrong at run time."""

    verb: ClassVar[str] = "pipelines.check"
    uses_models: ClassVar[bool] = False

    names: tuple[str, ...] = Field((), description="pipelines or files; none means all")


class CheckedPipeline(FrozenValue):
    name: str
    steps: int


class PipelineCheckResult(VerbResult):
    checked: tuple[CheckedPipeline, ...]

    def render(self, form: str = "text") -> str:
        del form
        return "".join(f"ok  {pipeline.name} ({plural(pipeline.steps, 'step')})\n" for pipeline in self.checked)


def list_pipelines(request: PipelinesRequest, house: Invocation) -> PipelinesResult:
    del request
    found = [house.pipelines.get(name) for name in house.pipelines.names()]
    return PipelinesResult(
        pipelines=tuple(
            PipelineEntry(name=entry.name, kind=entry.kind, file=entry.place.file, description=entry.description)
            for entry in found
        )
    )


def show_pipeline(request: PipelineRequest, house: Invocation) -> PipelineResult:
    pipeline = house.pipelines.find(request.name)
    return PipelineResult(
        pipeline=pipeline.as_json(),
        lineage=pipeline.lineage,
        drawing=as_text(pipeline),
        mermaid=as_mermaid(pipeline),
    )


def check_pipelines(request: PipelineCheckRequest, house: Invocation) -> PipelineCheckResult:
    """Raise `PipelineError` for the first that is refused, or the error that its kind has for it in this repository.

    One that ships with its kind may need settings first: it is held against the repository only when it is named.
    """
    checked = [house.pipelines.find(name) for name in request.names or house.pipelines.names()]
    for pipeline in checked:
        is_shipped = pipeline.place.file.startswith(f"{house.kinds[pipeline.kind].package}/")
        if request.names or not is_shipped:
            house.check_pipeline(pipeline)
    return PipelineCheckResult(
        checked=tuple(CheckedPipeline(name=pipeline.name, steps=len(pipeline.steps)) for pipeline in checked)
    )


PIPELINES = Verb(PipelinesRequest, PipelinesResult, list_pipelines)
PIPELINES_SHOW = Verb(PipelineRequest, PipelineResult, show_pipeline)
PIPELINES_CHECK = Verb(PipelineCheckRequest, PipelineCheckResult, check_pipelines)
