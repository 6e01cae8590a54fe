"""Requests to the models of `write`, each from its prompt."""

from __future__ import annotations

from bottega.models import Code, CodeContract, Request, fenced, load_prompt
from bottega.source import Language, language_named
from bottega.write.personas import add_persona
from bottega.write.state import WriteState
from bottega.write.tools import WriteRun

__all__ = ["add_history", "ask_for_code", "build_request", "fenced"]


def build_request(state: WriteState, name: str, stage: str, language: Language | None = None, **values: str) -> Request:
    """A prompt with its values, and with the persona that the pipeline gives it."""
    prompt = load_prompt("bottega.write", name)
    spoken = language.name if language else "code in the language that the request asks for, as"
    return Request.of(
        prompt.fill(**values),
        system=add_persona(prompt.fill_system(language=spoken, **values), name, state.personas),
        stage=stage,
        prompt_version=prompt.version,
    )


def add_history(state: WriteState, request: str) -> str:
    """The request after the earlier turns that it refers to, if any."""
    return f"{state.context}User request:\n{request}" if state.context else request


def ask_for_code(state: WriteState, run: WriteRun, request: Request, *, role: str) -> Code:
    language = language_named(state.language)
    return run.ask(request, CodeContract(language), role=role).value
