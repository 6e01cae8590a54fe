"""An example of a kind and a verb: a name for what a function does."""

from __future__ import annotations

import keyword
from typing import ClassVar

from pydantic import Field

from bottega.errors import InputError
from bottega.models import LineContract, Request, fenced, load_prompt
from bottega.pipeline import Finished, House, Kind, Run, State, action, choose_pipeline
from bottega.verbs import Gate, Verb, VerbRequest, VerbResult


class NameState(State):
    """What a run knows between steps; it survives as JSON."""

    does: str
    proposals: tuple[str, ...] = ()


@action("good", "bad")
def propose_name(state: NameState, run: Run[None]) -> str:
    """Ask the coding model for a name."""
    prompt = load_prompt("bottega_name", "propose")
    request = Request.of(prompt.fill(does=fenced(state.does)), stage="name.propose", prompt_version=prompt.version)
    name = run.ask(request, LineContract(["[NAME:]"]), role="coding").value.text.strip("` ()")
    is_good = name.isidentifier() and not keyword.iskeyword(name)
    state.proposals = (*state.proposals, name)
    run.validate("identifier", "passed" if is_good else "failed", name)
    return "good" if is_good else "bad"


@action()
def finish(state: NameState, run: Run[None]) -> str:
    """End with the last proposal."""
    run.outcome("name", state.proposals[-1])
    return ""


class NameRequest(VerbRequest):
    """What the function does."""

    verb: ClassVar[str] = "name"

    does: str = Field(description="what the function does, in a sentence")
    pipeline: str = Field("", description="another pipeline of the kind name, or its file")


class NameResult(VerbResult):
    run: str
    name: str
    is_identifier: bool

    @property
    def gate(self) -> Gate:
        return "passed" if self.is_identifier else "failed"

    def render(self, form: str = "text") -> str:
        del form
        return f"{self.name}\n"


def read_result(finished: Finished) -> NameResult:
    assert isinstance(finished.state, NameState)
    name = finished.state.proposals[-1]
    is_good = name.isidentifier() and not keyword.iskeyword(name)
    return NameResult(run=finished.run_id, name=name, is_identifier=is_good)


def propose(request: NameRequest, house: House) -> NameResult:
    """Check the request, choose the pipeline, carry it out."""
    if not request.does.strip():
        raise InputError("nothing is said about the function", hint="Say what it does.")
    pipeline = choose_pipeline(house, "name", request.pipeline, usual="name")
    return read_result(house.run_pipeline(pipeline, NameState(does=request.does)))


KIND = Kind(
    "name",
    NameState,
    {entry.name: entry for entry in (propose_name, finish)},
    package="bottega_name",
    read_result=read_result,
    subject="does",
)
NAME = Verb(NameRequest, NameResult, propose)
