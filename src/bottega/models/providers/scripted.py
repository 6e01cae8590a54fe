"""A model that plays back scripted replies, for tests and demonstrations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import yaml

from bottega.cancellation import current_cancellation
from bottega.errors import InputError, ModelError, ModelFault
from bottega.models.config import ModelConfig
from bottega.models.providers.locks import hold_lock
from bottega.models.request import OnText, Reply, Request, Usage
from bottega.models.thinking import split_thinking
from bottega.source import estimate_tokens

Line = str | Reply | ModelError


class ScriptedModel:
    """Plays lines in order, or calls a function. Like a model it counts tokens, streams, and separates `<think>`.

    As a provider it reads its script from a file: the id `scripted/PATH` names a YAML list of replies, or a mapping
    from a stage to a list of replies.
    """

    def __init__(
        self, script: ModelConfig | Iterable[Line] | Callable[[Request], Line], environ: Mapping[str, str] | None = None
    ) -> None:
        del environ
        self.name = script.id if isinstance(script, ModelConfig) else "scripted/model"
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        if callable(script):
            self._next: Callable[[Request], Line] = script
        else:
            self._next = _load_script(script) if isinstance(script, ModelConfig) else _play_in_order(self.name, script)

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        cancellation = current_cancellation()
        with hold_lock(self._lock):
            self.requests.append(request)
            line = self._next(request)
        cancellation.check()
        if isinstance(line, ModelError):
            raise line
        reply = line if isinstance(line, Reply) else self._build_reply(line, request)
        if on_text:
            for text in reply.text.splitlines(keepends=True):
                on_text(text)
                cancellation.check()
        return reply

    def close(self) -> None:
        """Nothing is held open."""

    def _build_reply(self, line: str, request: Request) -> Reply:
        text, thinking = split_thinking(line)
        usage = Usage(estimate_tokens(request.text()), estimate_tokens(line))
        return Reply(text, thinking, usage=usage, latency_ms=1, model=self.name)


def _play_in_order(model: str, lines: Iterable[Line]) -> Callable[[Request], Line]:
    remaining = iter(lines)

    def play(request: Request) -> Line:
        line = next(remaining, None)
        if line is None:
            raise ModelFault(model, f"the script has no line left for {request.stage or 'this call'}", passing=False)
        return line

    return play


def _load_script(config: ModelConfig) -> Callable[[Request], Line]:
    try:
        script = yaml.safe_load(Path(config.model).expanduser().read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"the script {config.model} cannot be read: {error}") from None
    if isinstance(script, list):
        return _play_in_order(config.id, [str(line) for line in script])
    if not isinstance(script, dict):
        raise InputError(
            f"{config.model} is not a script", hint="A YAML list of replies, or stages with lists of replies."
        )
    scripts = {stage: _play_in_order(config.id, [str(line) for line in lines]) for stage, lines in script.items()}

    def by_stage(request: Request) -> Line:
        script_of_stage = scripts.get(request.stage)
        if script_of_stage is None:
            raise ModelFault(config.id, f"the script has no part for the stage {request.stage}", passing=False)
        return script_of_stage(request)

    return by_stage


PROVIDER = ScriptedModel
