"""A model that says what it was told to say, for tests and demonstrations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import yaml

from bottega.errors import InputError, ModelError, ModelFault
from bottega.models.config import ModelConfig
from bottega.models.request import OnText, Reply, Request, Usage
from bottega.models.thinking import split_thinking
from bottega.source import estimate_tokens

Line = str | Reply | ModelError


class ScriptedModel:
    """Plays lines in order, or asks a function. It behaves like a model: counts tokens, streams, keeps `<think>` apart.

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
            self._next = _from_file(script) if isinstance(script, ModelConfig) else _in_order(self.name, script)

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with self._lock:
            self.requests.append(request)
            line = self._next(request)
        if isinstance(line, ModelError):
            raise line
        reply = line if isinstance(line, Reply) else self._spoken(line, request)
        if on_text:
            for word in reply.text.splitlines(keepends=True):
                on_text(word)
        return reply

    def close(self) -> None:
        """Nothing is held open."""

    def _spoken(self, line: str, request: Request) -> Reply:
        text, thinking = split_thinking(line)
        usage = Usage(estimate_tokens(request.text()), estimate_tokens(line))
        return Reply(text, thinking, usage=usage, latency_ms=1, model=self.name)


def _in_order(model: str, lines: Iterable[Line]) -> Callable[[Request], Line]:
    remaining = iter(lines)

    def play(request: Request) -> Line:
        line = next(remaining, None)
        if line is None:
            raise ModelFault(model, f"the script has no line left for {request.stage or 'this call'}", passing=False)
        return line

    return play


def _from_file(config: ModelConfig) -> Callable[[Request], Line]:
    try:
        script = yaml.safe_load(Path(config.model).expanduser().read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"the script {config.model} cannot be read: {error}") from None
    if isinstance(script, list):
        return _in_order(config.id, [str(line) for line in script])
    if not isinstance(script, dict):
        raise InputError(
            f"{config.model} is not a script", hint="A YAML list of replies, or stages with lists of replies."
        )
    players = {stage: _in_order(config.id, [str(line) for line in lines]) for stage, lines in script.items()}

    def by_stage(request: Request) -> Line:
        player = players.get(request.stage)
        if player is None:
            raise ModelFault(config.id, f"the script has no part for the stage {request.stage}", passing=False)
        return player(request)

    return by_stage
