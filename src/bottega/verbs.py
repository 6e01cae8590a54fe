"""What a verb is: a typed, frozen request in, a typed result out, each with one JSON form.

Doors (command line, HTTP, MCP) look a verb up by name, build its request, call it through the workshop and print the
JSON form of its result. The form is published as a JSON schema under docs/schemas/.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bottega.errors import InputError

Gate = Literal["passed", "failed", "incomplete"]


class FrozenValue(BaseModel):
    """A value inside a request or a result."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class VerbRequest(BaseModel):
    """Everything a caller may ask of a verb; `verb` is its name. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    verb: ClassVar[str]
    reads_settings: ClassVar[bool] = True
    """Whether the repository's settings as they are now count, and are refused where they cannot be."""
    uses_models: ClassVar[bool] = True
    uses_index: ClassVar[bool] = False
    """Whether the call indexes the repository where it is not indexed yet."""
    is_recorded: ClassVar[bool] = False
    """Whether the call itself is recorded as a run; those of a verb with a pipeline are recorded by it."""

    @property
    def looks_for_models(self) -> bool:
        """Whether servers and keys on this machine may be looked for where the settings name no model."""
        return self.uses_models and not getattr(self, "no_model", False)


class VerbResult(BaseModel):
    """What a verb found or made, with everything a door needs to show it and to choose its exit code."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    formats: ClassVar[tuple[str, ...]] = ("text", "json")
    published: ClassVar[type[BaseModel] | None] = None
    """The type whose schema describes `as_json`, where that is not the result itself."""

    @property
    def gate(self) -> Gate:
        """Failed is exit code 1, incomplete 4."""
        return "passed"

    @property
    def gate_reason(self) -> str:
        """Why the gate is not passed; "" where the result itself says it."""
        return ""

    @property
    def gate_hint(self) -> str:
        """What the reader can do about it."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know beside the data, one line each; a terminal shows it on standard error."""
        return ()

    def as_json(self) -> Any:
        """The one JSON form that every door prints."""
        return self.model_dump(mode="json")

    def render(self, form: str = "text") -> str:
        """The result in one of its `formats` other than JSON."""
        del form
        return json.dumps(self.as_json(), ensure_ascii=False, indent=2) + "\n"


RequestT = TypeVar("RequestT", bound=VerbRequest)
ResultT = TypeVar("ResultT", bound=VerbResult)


@dataclass(frozen=True, slots=True)
class Verb(Generic[RequestT, ResultT]):
    """A capability: `run` gets the request and the house it is called in (`bottega.pipeline.House`)."""

    request: type[RequestT]
    result: type[ResultT]
    run: Callable[[RequestT, Any], ResultT]

    @property
    def name(self) -> str:
        return self.request.verb

    def read_request(self, content: Any) -> RequestT:
        """A request from its JSON form. Raise `InputError` naming each field that is wrong."""
        try:
            return self.request.model_validate(content)
        except ValidationError as error:
            raise InputError(
                f"not a request for {self.name}: {'; '.join(_explain(entry) for entry in error.errors())}",
                hint=f"`bottega call {self.name} --schema` describes the fields.",
            ) from None

    def request_schema(self) -> dict[str, Any]:
        return self.request.model_json_schema(mode="validation")

    def result_schema(self) -> dict[str, Any]:
        return (self.result.published or self.result).model_json_schema(mode="serialization")


def _explain(entry: Any) -> str:
    where = ".".join(str(part) for part in entry["loc"]) or "the whole"
    return f"{where}: {entry['msg']}"
