"""Personas: files of the project that add to the instructions of the models of `write`."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from bottega.pipeline import KindSettings
from bottega.settings import UserFiles
from bottega.source.tree import RepositoryFiles

LONGEST = 8000


class Personas(BaseModel):
    """A file of the repository for each prompt, by its path below the root, or `user:NAME`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    coder: str = Field("", description="for drafts and corrections")
    judge: str = Field("", description="for scores")
    reviewer: str = Field("", description="for call_reviewer and mend_syntax")
    security: str = Field("", description="for call_reviewer with the persona security")
    tester: str = Field("", description="for tests that are made up")
    voter: str = Field("", description="for votes")


class WriteSettings(KindSettings):
    """What pipelines of the kind may set."""

    personas: Personas = Personas()


def read_personas(personas: Personas, files: RepositoryFiles, own: UserFiles) -> dict[str, str]:
    """The texts by prompt, with secrets masked. Raise `InputError` before anyone is asked."""
    named = personas.model_dump(exclude_defaults=True)
    return {prompt: own.read_instructions(name, files, "persona", LONGEST) for prompt, name in named.items()}


def add_persona(system: str, prompt: str, texts: Mapping[str, str]) -> str:
    """The instructions of a prompt with the text of its persona behind them; corrections have that of the coder."""
    text = texts.get("coder" if prompt == "fix" else prompt, "")
    return f"{system}\n\nWhat this project asks for:\n{text}" if text else system
