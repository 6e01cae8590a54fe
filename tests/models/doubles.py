"""Real clients before a scripted server, and a roster over a real journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import hypothesis

from bottega.journal import CallRecord, Journal
from bottega.models import (
    JournalLog,
    Ledger,
    Model,
    ModelConfig,
    ModelRouter,
    Request,
    RetryPolicy,
    Roster,
    close_model,
    open_model,
)
from bottega.models.breaker import Breaker
from bottega.settings import Price, Settings
from bottega.testing import Answer, Received, ScriptedServer, Wire
from bottega.testing.steps import streamed

steadily = hypothesis.settings(deadline=None, derandomize=True)
"""The same examples each time, however busy the machine."""
KEYS = {"MODEL_KEY": "secret-of-the-house"}
PATIENT = ModelConfig("m", "scripted", timeout=5)
HASTY = ModelConfig("m", "scripted", timeout=0.25)
MESSAGE_START = {
    "type": "message_start",
    "message": {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    },
}


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes of a stream that no well-behaved server would send."""

    parts: tuple[bytes, ...]

    def answer(self, _ask: Received, wire: Wire, /) -> Answer:
        return streamed(wire, self.parts)


def chunks(*data: object) -> tuple[bytes, ...]:
    """Server-sent data as OpenAI's clients expect it."""
    return tuple(f"data: {json.dumps(one)}\n\n".encode() for one in data)


def events(*data: Mapping[str, object]) -> tuple[bytes, ...]:
    """Server-sent events as Anthropic's client expects them."""
    return tuple(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in data)


def lines(*data: object) -> tuple[bytes, ...]:
    """Lines of JSON as Ollama's client expects them."""
    return tuple(f"{json.dumps(one)}\n".encode() for one in data)


@dataclass(slots=True)
class Clock:
    """Time that passes when the test says so."""

    time: float = 0.0

    def __call__(self) -> float:
        return self.time


def base_url(wire: str, server: str) -> str:
    return f"{server}/v1" if wire == "openai" else server


def config_for(wire: str, server: str, like: ModelConfig = PATIENT) -> ModelConfig:
    return replace(like, provider=wire, base_url=base_url(wire, server), api_key_env="MODEL_KEY")


@contextmanager
def talking(
    wire: str, server: ScriptedServer, like: ModelConfig = PATIENT, environ: Mapping[str, str] = KEYS
) -> Iterator[Model]:
    """The server, started, and the real client of that wire connected to it."""
    with server, opened(config_for(wire, server.url, like), environ) as model:
        yield model


@contextmanager
def opened(config: ModelConfig, environ: Mapping[str, str] = KEYS) -> Iterator[Model]:
    model = open_model(config, environ)
    try:
        yield model
    finally:
        close_model(model)


def settings_for(model: str = "scripted/model", **providers: Mapping[str, object]) -> Settings:
    return Settings.model_validate({"models": {"default": model}, "providers": providers})


@dataclass(slots=True)
class Desk:
    """A roster, the journal it writes to, and a run to write about; it notes the waits it is spared."""

    journal: Journal
    root: Path
    settings: Settings
    open_model: Callable[[ModelConfig], Model]
    prices: Mapping[str, Price] = field(default_factory=dict)
    retries: int = 4
    clock: Clock = field(default_factory=Clock)
    waits: list[float] = field(default_factory=list)
    run_id: str = field(init=False)
    roster: Roster = field(init=False)

    def __post_init__(self) -> None:
        self.run_id = self.journal.runs.begin(
            pipeline="errand", kind="write", definition={}, state={}, settings={}, version="0"
        )
        self.roster = Roster(
            ModelRouter(self.settings),
            open_model=self.open_model,
            facts=self.journal.facts,
            ledger=Ledger(self.journal.facts),
            prices=self.prices,
            retry=RetryPolicy(self.retries, sleep=self.waits.append, jitter=lambda: 1.0),
            breaker=Breaker(self.clock),
        )

    def log(self, seq: int = 1) -> JournalLog:
        """A step, begun or begun again."""
        return JournalLog(self.journal.calls, self.journal.mask, self.run_id, seq)

    def complete(self, prompt: str = "hello", log: JournalLog | None = None) -> str:
        return self.roster.complete(Request.of(prompt), role="coding", log=log or self.log()).text

    @property
    def calls(self) -> list[CallRecord]:
        return self.journal.calls.of_run(self.run_id)

    @property
    def attempts(self) -> list[tuple[int, str | None]]:
        """(number, error) of every try, in order."""
        with sqlite3.connect(self.root / ".bottega" / "raw.sqlite") as db:
            rows = db.execute("SELECT n, error FROM attempts ORDER BY started_at, n").fetchall()
        db.close()
        return rows


OpenDesk = Callable[..., Desk]
