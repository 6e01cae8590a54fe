"""The verb: a request in, runnable code out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import ClassVar

from pydantic import Field

from bottega.errors import InputError, SettingsError
from bottega.pipeline import House, Kind, choose_pipeline
from bottega.sandbox import Limits
from bottega.settings import UserFiles
from bottega.source import known_languages, language_named, language_of_path
from bottega.source.tree import DiskFiles
from bottega.verbs import Verb, VerbRequest
from bottega.write.actions import ACTIONS
from bottega.write.personas import WriteSettings, read_personas
from bottega.write.request import parse_request
from bottega.write.result import WriteResult, read_result
from bottega.write.state import Rules, WriteState
from bottega.write.tools import WriteTools


class WriteRequest(VerbRequest):
    """What to write."""

    verb: ClassVar[str] = "write"

    text: str = Field(description="the request; a tag such as ///raw on its first line chooses the mode")
    mode: str = Field("", description="reviewed (default), raw, review-only, ctx or continue")
    language: str = Field("", description="language of the code; as the request says where it is empty")
    file_name: str = Field("", description="the file that the code is for: its ending names the language if none is")
    context: int = Field(0, ge=0, le=100, description="put the last turns before the request; 0 is as the mode says")
    pipeline: str = Field("", description="another pipeline of the kind write, or its file")


def write(request: WriteRequest, house: House) -> WriteResult:
    """Write code, run the request's examples on it, and say what was checked."""
    mode = request.mode or None
    parse_request(request.text, mode=mode)
    language = _find_language(request.language) if request.language else _language_of_file(request.file_name)
    settings = house.settings.write
    require_language(settings.language)
    pipeline = choose_pipeline(house, "write", request.pipeline, usual=settings.pipeline)
    rules = Rules(
        confidence_threshold=settings.confidence_threshold,
        conflict_threshold=settings.conflict_threshold,
        language=settings.language,
        context_records=request.context or settings.context_records,
    )
    personas = WriteSettings.model_validate(dict(pipeline.settings)).personas
    state = WriteState(
        original_prompt=request.text,
        mode_flag=mode or ("ctx" if request.context else None),
        language_flag=language,
        rules=rules,
        personas=read_personas(personas, DiskFiles(house.root), UserFiles.of(house.environ)),
    )
    return read_result(house.run_pipeline(pipeline, state, settings=rules.model_dump()))


def _find_language(name: str) -> str:
    """A language by any of its names. Raise `InputError` naming a close one."""
    known = language_named(name)
    if known is not None:
        return known.name
    close = get_close_matches(name.lower(), [language.name.lower() for language in known_languages()], n=1)
    raise InputError(f"there is no language {name}", hint=f"Did you mean {close[0]}?" if close else "")


def _language_of_file(name: str) -> str | None:
    """The language that a file name stands for, `None` where it stands for none."""
    language = language_of_path(name) if name else None
    return language.name if language else None


def require_language(name: str) -> None:
    """Check the setting `write.language`: the schema stands below the table of languages."""
    if language_named(name) is None:
        raise SettingsError(f"write.language: there is no language {name!r}", hint="For example python, go or rust.")


@contextmanager
def open_tools(house: House) -> Iterator[WriteTools]:
    box, router = house.settings.sandbox, house.roster.router
    yield WriteTools(
        history=house.journal.history,
        open_sandbox=house.open_sandbox,
        limits=Limits(seconds=box.seconds, memory_mb=box.memory_mb),
        parallel=router.resolve("coding").concurrency if router.list_choices() else 1,
    )


KIND = Kind(
    "write",
    WriteState,
    ACTIONS,
    settings=WriteSettings,
    package="bottega.write",
    open_tools=open_tools,
    read_result=read_result,
    subject="original_prompt",
)
WRITE = Verb(WriteRequest, WriteResult, write)
