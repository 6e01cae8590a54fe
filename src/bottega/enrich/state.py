"""The state of an `enrich` run."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from bottega.pipeline import State


class Description(BaseModel):
    """A model's description of a file. The purpose comes first, since the model derives the rest from it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    purpose: str = Field(min_length=1, max_length=400, description="one sentence: what the file is for")
    module: str = Field(max_length=80, description="the part of the system it belongs to")
    domain: str = Field(max_length=80, description="the subject it deals with")
    concepts: tuple[str, ...] = Field((), max_length=12, description="key ideas, each a word or two")
    public_api_surface: tuple[str, ...] = Field((), max_length=40, description="names meant for other files")
    complexity_notes: str = Field("", max_length=400, description="what is hard about it, or nothing")


class FileToDescribe(BaseModel):
    """A file to describe, with the hash of its current content."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    hash: str
    language: str


class DescribedFile(BaseModel):
    """The description of a file, or the error that prevented it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    hash: str
    description: Description | None = None
    error: str = ""


class EnrichState(State):
    paths: tuple[str, ...] = ()
    limit: int = 0
    wanted: tuple[FileToDescribe, ...] = ()
    entries: tuple[DescribedFile, ...] = ()
