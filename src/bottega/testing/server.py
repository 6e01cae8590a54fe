"""A model server on loopback that does what its script says, in three wire formats."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from bottega.testing.answer import Answer
from bottega.testing.loopback import Loopback
from bottega.testing.script import Plot, Script
from bottega.testing.shelf import ServedModel, Shelf
from bottega.testing.wire import Received, Wire, refuse
from bottega.testing.wire_anthropic import AnthropicWire
from bottega.testing.wire_ollama import OllamaWire
from bottega.testing.wire_openai import OpenAIWire

OLLAMA, OPENAI, ANTHROPIC = OllamaWire(), OpenAIWire(), AnthropicWire()


class ScriptedServer:
    """Serve a script inside a `with` block.

    The script is a list of steps, one for each request to a model, or a function from the request to a step.
    Catalogues, unknown models, wrong keys and refused options are answered without taking a step.
    An exception in the script's function ends the connection, and is raised again when the block ends.
    """

    def __init__(
        self,
        script: Plot,
        *,
        repeat_last: bool = False,
        models: Sequence[ServedModel] | None = None,
        honours_schema: bool = True,
        api_key: str | None = None,
    ) -> None:
        self._script = Script(script, repeat_last=repeat_last)
        self._shelf = Shelf(models)
        self._honours_schema = honours_schema
        self._api_key = api_key
        self._received: list[Received] = []
        self._lock = threading.Lock()
        self._loopback: Loopback | None = None

    def __enter__(self) -> Self:
        self._loopback = Loopback(self._answer)
        self._loopback.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loopback = self._started()
        loopback.stop()
        if loopback.faults and error is None:
            raise loopback.faults[0]

    @property
    def url(self) -> str:
        """The address without a path; it stays readable after the block, when nothing answers there."""
        return f"http://127.0.0.1:{self._started().server_port}"

    @property
    def requests(self) -> tuple[Received, ...]:
        """Everything received, catalogue look-ups included, in order of arrival."""
        with self._lock:
            return tuple(self._received)

    @property
    def asked(self) -> tuple[Received, ...]:
        """Only the requests to a model."""
        return tuple(ask for ask in self.requests if ask.path in _wire(ask).asks)

    def _started(self) -> Loopback:
        if self._loopback is None:
            raise RuntimeError("the scripted server runs inside a `with` block")
        return self._loopback

    def _answer(self, ask: Received) -> Answer:
        with self._lock:
            self._received.append(ask)
        wire = _wire(ask)
        if self._api_key is not None and not wire.has_key(ask.headers, self._api_key):
            return refuse(wire, 401, wire.key_refusal)
        settled = wire.admit(ask, self._shelf, honours_schema=self._honours_schema)
        if settled is not None:
            return settled
        if ask.path not in wire.asks:
            return refuse(wire, 404, f"nothing is served at {ask.path}")
        return self._script.next(ask).answer(ask, wire)


def _wire(ask: Received) -> Wire:
    if ask.path.startswith("/api/"):
        return OLLAMA
    # OpenAI and Anthropic list their models at the same path; only Anthropic's client names a version.
    is_anthropic = ask.path.startswith("/v1/messages") or "anthropic-version" in ask.headers
    return ANTHROPIC if is_anthropic else OPENAI
