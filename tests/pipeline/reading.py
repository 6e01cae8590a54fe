"""A kind of pipeline with one step: a model reads a shelf of texts with tools and submits an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bottega.errors import InputError, StorageError
from bottega.models import Reply, Request, ToolCall, Usage
from bottega.models.providers.scripted import Line, ScriptedModel
from bottega.pipeline import DONE, Finished, Folder, Kind, KindSettings, Library, Run, State, action
from bottega.pipeline.toolloop import LoopResult, SubmitSpec, ToolLoop, ToolSpec, TurnBudget, measure_profile
from bottega.settings import Budget, Settings

from .errand import Bag
from .office import SCRIPTED, office

PIPELINE = """
pipeline:
  name: reading
  kind: reading
  settings: {entry_step_id: read%s}
  steps:
    - {id: read, action: read_shelf, next: end}
    - {id: end, action: put_back}
"""
SHELF = {"poem": "\n".join(f"verse {number}" for number in range(1, 4)), "epic": "a line of an epic\n" * 4000}


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadText(Strict):
    title: str
    first: int = Field(1, ge=1)


class Note(Strict):
    text: str


class Quote(Strict):
    title: str
    line: int = Field(ge=1)


class AnswerDraft(Strict):
    text: str = Field(min_length=1)
    quotes: tuple[Quote, ...] = ()


class ReadingState(State):
    result: dict[str, Any] = Field(default_factory=dict)


class ReadingSettings(KindSettings):
    max_turns: int = 6
    budget: int = 0


def read_text(root: Path, parameters: ReadText, room: int) -> str:
    """Leaves a mark in the folder at every real reading; is interrupted when it should read the forbidden text."""
    del room
    with (root / "read.txt").open("a") as marks:
        marks.write(f"{parameters.title}\n")
    if parameters.title == "forbidden" and not (root / "ready").exists():
        raise KeyboardInterrupt
    if parameters.title == "burnt":
        raise StorageError("the page is burnt", hint="Read another.")
    return "\n".join(SHELF.get(parameters.title, "found").splitlines()[parameters.first - 1 :])


def refuse_shouting(draft: AnswerDraft) -> None:
    if draft.text.isupper():
        raise InputError("the answer shouts", hint="Use small letters.")


@action(DONE)
def read_shelf(state: ReadingState, run: Run[Bag]) -> str:
    """Let the model read and answer."""
    settings = run.settings_as(ReadingSettings)
    loop = ToolLoop(
        tools=[
            ToolSpec("read_text", "A text.", ReadText, lambda wish, room: read_text(run.tools.folder, wish, room)),
            ToolSpec("note", "Write down.", Note, lambda note, _: f"noted {note.text}", explores=False),
        ],
        submit=SubmitSpec("submit_answer", "End: the answer.", AnswerDraft, refuse_shouting),
        model=measure_profile(run, role="reasoning", stage="read"),
        max_turns=settings.max_turns,
        budget=TurnBudget(settings.budget),
        wrap_up="note what matters",
    )
    request = Request.of("What do the texts say?", system=loop.instructions(), stage="read")
    state.result = _as_json(loop.run(run, request, label="shelf"))
    return DONE


@action()
def put_back(state: ReadingState, run: Run[Bag]) -> str:
    """End."""
    del state, run
    return ""


def _as_json(result: LoopResult[AnswerDraft]) -> dict[str, Any]:
    return {
        "submitted": None if result.submitted is None else result.submitted.model_dump(mode="json"),
        "reason": result.reason,
        "turns": result.turns,
        "replies": result.replies,
        "tokens": result.tokens,
        "calls": [[call.turn, call.name, call.is_error] for call in result.calls],
    }


KINDS = {"reading": Kind("reading", ReadingState, {"read_shelf": read_shelf, "put_back": put_back}, ReadingSettings)}


class NativeModel(ScriptedModel):
    """A scripted model behind a server that supports tool calling."""

    def calls_tools(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Reading:
    """A run of the loop with a scripted model: what came of it, and what the model was asked."""

    root: Path
    model: ScriptedModel
    result: dict[str, Any]

    def last_results(self, turn: int = -1) -> str:
        """The tool results that the model saw with a request."""
        messages = self.model.requests[turn].messages
        last_reply = max(at for at, message in enumerate(messages) if message.role == "assistant")
        return "\n\n".join(message.text for message in messages[last_reply + 1 :])

    def times_read(self) -> list[str]:
        marks = self.root / "read.txt"
        return marks.read_text().split() if marks.exists() else []


def read(
    root: Path,
    lines: Iterable[Line] | Callable[[Request], Line],
    *,
    native: bool = False,
    window: int = 32_768,
    settings: str = "",
    do: str = "start",
) -> Reading:
    """Start, resume or replay a reading in a folder."""
    model = (NativeModel if native else ScriptedModel)(lines)
    with _engine(root, model, window) as (start, resume, replay):
        finished = {"start": lambda: start(PIPELINE % settings), "resume": resume, "replay": replay}[do]()
    assert isinstance(finished.state, ReadingState)
    return Reading(root, model, finished.state.result)


@contextmanager
def _engine(root: Path, model: ScriptedModel, window: int) -> Iterator[tuple[Callable[..., Finished], ...]]:
    settings: Settings = SCRIPTED.model_copy(update={"budget": Budget(context_window=window)})
    with office(root, model, settings=settings, kinds=KINDS) as opened:

        def start(text: str) -> Finished:
            file = root / "reading.yaml"
            file.write_text(text)
            pipeline = Library([Folder(root, "here")], KINDS).load_file(file)
            return opened.engine.start(pipeline, ReadingState())

        yield start, lambda: opened.engine.resume("last"), lambda: opened.engine.replay("last")


def calls(*wanted: dict[str, Any], native: bool = False) -> Line:
    """A reply with these calls, natively or as the JSON contract asks for."""
    if not native:
        return json.dumps({"calls": list(wanted)})
    made = tuple(
        ToolCall(f"c{number}", str(wish["tool"]), {key: wish[key] for key in wish if key != "tool"})
        for number, wish in enumerate(wanted)
    )
    return Reply("", tool_calls=made, usage=Usage(50, 10), finish="tool_calls", model="scripted/model")


def text(title: str, **more: Any) -> dict[str, Any]:
    return {"tool": "read_text", "title": title, **more}


def answer(words: str = "verses", **more: Any) -> dict[str, Any]:
    return {"tool": "submit_answer", "text": words, **more}
