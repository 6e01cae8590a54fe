"""The verb: a question in, an answer with checked citations out."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bottega.ask.actions import ACTIONS
from bottega.ask.knowledge import check_index, open_tools
from bottega.ask.result import AskResult, read_result
from bottega.ask.state import MODES, AskSettings, AskState
from bottega.errors import InputError
from bottega.journal import check_chat_name
from bottega.pipeline import House, Kind, choose_pipeline
from bottega.retrieve import embed_in_background
from bottega.verbs import Verb, VerbRequest

WITHOUT_MODEL = "ask-evidence"
_LONGEST = 200_000


class AskRequest(VerbRequest):
    """A question about the code."""

    verb: ClassVar[str] = "ask"
    uses_index: ClassVar[bool] = True

    question: str = Field(description="in any language; at most 200,000 characters")
    language: str = Field("", description="the language of the question where it is not English")
    chat: str = Field("", description="the conversation that it continues or starts")
    mode: Literal["", "hybrid", "semantic_rerank", "semantic", "bm25"] = Field(
        "", description="how to search; skips the router"
    )
    pipeline: str = Field("", description="another pipeline of the kind ask, or its file")
    no_model: bool = Field(False, description="answer with evidence only, even where a model is configured")


def ask(request: AskRequest, house: House) -> AskResult:
    """Answer from the index, keeping only citations that hold. Invalid input is refused before a run starts."""
    _check(request)
    pipeline = choose_pipeline(
        house,
        "ask",
        request.pipeline,
        usual=house.settings.ask.pipeline,
        without_model=WITHOUT_MODEL,
        no_model=request.no_model,
    )
    question, language = request.question.strip(), request.language.strip().lower()
    state = AskState(
        question=question,
        question_en=question,
        is_english=language.split("-")[0] in {"", "en", "english"},
        language=language,
        chat=request.chat,
        mode_flag=request.mode,
    )
    result = read_result(house.run_pipeline(pipeline, state))
    if result.mode != "bm25":
        embed_in_background(house)
    return result


def _check(request: AskRequest) -> None:
    if not request.question.strip():
        raise InputError("the question is empty", hint='Ask something: bottega ask "where is …?"')
    if len(request.question) > _LONGEST:
        raise InputError(f"the question has {len(request.question)} characters; at most {_LONGEST} are allowed")
    if request.mode and request.mode not in MODES:
        raise InputError(f"there is no mode {request.mode!r}", hint=f"Modes: {', '.join(MODES)}.")
    if request.chat:
        check_chat_name(request.chat)


KIND = Kind(
    "ask",
    AskState,
    ACTIONS,
    AskSettings,
    package="bottega.ask",
    open_tools=open_tools,
    check_house=check_index,
    read_result=read_result,
    subject="question",
)
ASK = Verb(AskRequest, AskResult, ask)
