"""Tools of a loop: how a model sees them, and what a call of one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from bottega.errors import BottegaError, InputError
from bottega.models import Tool, fenced

P = TypeVar("P", bound=BaseModel)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Record = Callable[[str, Callable[[], Any]], Any]
"""`Run.effect` under the loop's label: runs a function once and gives resume and replay its recorded answer."""

# Keys of a call in the JSON contract, which therefore cannot be parameters.
_RESERVED = frozenset({"tool", "arguments"})
_CUT = "\n… (cut: ask for less at once)"


class LoopTool(Protocol):
    """A tool that a loop can offer.

    Tools that `explores` are withdrawn in the last turns, when the model has to write down and submit. A tool that
    `reports` is accepted in every turn, offered or not: what it says must not be lost. A call that must not be
    repeated with equal arguments has `may_repeat` false.
    """

    @property
    def definition(self) -> Tool: ...

    @property
    def explores(self) -> bool: ...

    @property
    def reports(self) -> bool: ...

    @property
    def may_repeat(self) -> bool: ...

    def call(self, arguments: Mapping[str, Any], room: int, record: Record) -> str:
        """The result, at most about `room` characters; raise `InputError` with what the model should mend."""


class Submission(Protocol[T_co]):
    """The tool that ends a loop."""

    @property
    def definition(self) -> Tool: ...

    def read(self, arguments: Mapping[str, Any]) -> T_co:
        """The submitted value; raise `InputError` to refuse it with what the model should mend."""


@dataclass(frozen=True, slots=True)
class ToolSpec(Generic[P]):
    """A tool with typed parameters.

    `run` gets the checked parameters and the number of characters that fit, and returns plain text: the loop cuts it,
    fences it as untrusted data, and records it, so that a resumed run does not call `run` again. It raises a
    `BottegaError` for what it cannot do, which the model reads as `error: …`.
    """

    name: str
    description: str
    parameters: type[P]
    run: Callable[[P, int], str]
    explores: bool = True
    may_repeat: bool = False
    reports: bool = False

    def __post_init__(self) -> None:
        _refuse_reserved(self.name, self.parameters)

    @property
    def definition(self) -> Tool:
        return Tool(self.name, self.description, parameter_schema(self.parameters))

    def call(self, arguments: Mapping[str, Any], room: int, record: Record) -> str:
        parameters = parse_arguments(self.parameters, arguments)

        def act() -> dict[str, str]:
            try:
                return {"text": _cut(self.run(parameters, room), room)}
            except BottegaError as error:
                return {"error": str(error), "hint": error.hint}

        recorded: dict[str, str] = record(self.name, act)
        if "error" in recorded:
            raise InputError(recorded["error"], hint=recorded["hint"])
        return fenced(recorded["text"])


@dataclass(frozen=True, slots=True)
class SchemaTool:
    """A tool with a hand-written JSON schema whose arguments reach `run` as the model wrote them.

    For verbs that take what small models write and keep state of their own: `run` checks its arguments, cuts and
    fences its result, and records what it learns from outside.
    """

    definition: Tool
    run: Callable[[Mapping[str, Any], int], str]
    explores: bool = False
    may_repeat: bool = True
    reports: bool = False

    def call(self, arguments: Mapping[str, Any], room: int, record: Record) -> str:
        del record
        return self.run(arguments, room)


def accept_any(value: object) -> None:
    """The check of a submission that needs none beyond its contract."""
    del value


@dataclass(frozen=True, slots=True)
class SubmitSpec(Generic[P]):
    """The tool that ends a loop with a value of `contract`; `check` raises `InputError` to refuse one."""

    name: str
    description: str
    contract: type[P]
    check: Callable[[P], None] = accept_any

    def __post_init__(self) -> None:
        _refuse_reserved(self.name, self.contract)

    @property
    def definition(self) -> Tool:
        return Tool(self.name, self.description, parameter_schema(self.contract))

    def read(self, arguments: Mapping[str, Any]) -> P:
        value = parse_arguments(self.contract, arguments)
        self.check(value)
        return value


@dataclass(frozen=True, slots=True)
class SchemaSubmit(Generic[T]):
    """The tool that ends a loop, with a hand-written JSON schema and a reader that takes what small models write."""

    definition: Tool
    parse: Callable[[Mapping[str, Any]], T]

    def read(self, arguments: Mapping[str, Any]) -> T:
        return self.parse(arguments)


def parse_arguments(model: type[P], arguments: Mapping[str, Any]) -> P:
    """Arguments as a typed value; raises `InputError` that names the first fields that are wrong."""
    try:
        return model.model_validate(dict(arguments))
    except ValidationError as error:
        details = error.errors(include_input=False, include_context=False, include_url=False)[:5]
        problems = (f"{'.'.join(map(str, detail['loc'])) or 'arguments'}: {detail['msg']}" for detail in details)
        raise InputError("; ".join(problems)) from None


def parameter_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model as one object, because the JSON contract moves its properties into another schema."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inline(schema, definitions, ())
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(reference := node.get("$ref"), str):
        name = reference.rpartition("/")[2]
        if name in inside:
            raise ValueError(f"{name} refers to itself, which parameters of a tool cannot")
        return _inline(definitions[name], definitions, (*inside, name))
    return {key: _inline(value, definitions, inside) for key, value in node.items()}


def _refuse_reserved(name: str, model: type[BaseModel]) -> None:
    reserved = sorted(_RESERVED & model.model_fields.keys())
    if reserved:
        raise ValueError(f"{name} cannot have a parameter named {reserved[0]}: the JSON contract uses that key")


def _cut(text: str, room: int) -> str:
    """As many whole lines as fit."""
    return text if len(text) <= room else text[:room].rsplit("\n", 1)[0] + _CUT
