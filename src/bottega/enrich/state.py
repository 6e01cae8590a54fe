"""What an `enrich` run knows between steps."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from bottega.pipeline import State


class Description(BaseModel):
    """What a model says about a file. Purpose comes first: the rest follows from it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    purpose: str = Field(min_length=1, max_length=400, description="one sentence: what the file is for")
    module: str = Field(max_length=80, description="the part of the system it belongs to")
    domain: str = Field(max_length=80, description="the subject it deals with")
    concepts: tuple[str, ...] = Field((), max_length=12, description="key ideas, each a word or two")
    public_api_surface: tuple[str, ...] = Field((), max_length=40, description="names meant for other files")
    complexity_notes: str = Field("", max_length=400, description="what is hard about it, or nothing")


class Wanted(BaseModel):
    """A file to describe, as it is now."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    hash: str
    language: str


class Entry(BaseModel):
    """What became of a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    hash: str
    description: Description | None = None
    error: str = ""


class EnrichState(State):
    paths: tuple[str, ...] = ()
    limit: int = 0
    wanted: tuple[Wanted, ...] = ()
    entries: tuple[Entry, ...] = ()
