"""A model on loopback that answers by content, so that every order of questions gets the same replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from bottega.journal import CallRecord
from bottega.testing import Hang, Prose, Received, Say, Step

Conversation = tuple[tuple[str, str], ...]


class Oracle:
    """Says a word for every question. A first word about bread breaks the contract, so that it must be mended.

    It can be told to hang on one question, and to hold every reply back for a while.
    """

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._let_go = threading.Event()
        self._let_go.set()
        self._hang_on = 0
        self._lock = threading.Lock()

    def hang_on(self, nth: int) -> None:
        """The nth question from now on is never answered; `reached` tells when it came."""
        with self._lock:
            self._hang_on = nth
            self.reached.clear()

    @contextmanager
    def holding_back(self) -> Iterator[None]:
        """Questions are taken and not answered before the block ends."""
        self._let_go.clear()
        try:
            yield
        finally:
            self._let_go.set()

    def __call__(self, ask: Received) -> Step:
        with self._lock:
            self._hang_on -= 1
            hangs = self._hang_on == 0
        if hangs:
            self.reached.set()
            return Hang()
        self._let_go.wait(30)
        if "about bread" in ask.prompt and "was refused" not in ask.prompt:
            return Prose("Bread? Let me think.")
        return Say(f"[WORD:] {sha256(ask.prompt.encode()).hexdigest()[:8]}")


def sent(asked: Iterable[Received]) -> list[Conversation]:
    """What went over the wire."""
    return [tuple((m["role"], m["content"]) for m in ask.body["messages"]) for ask in asked]


def recorded(calls: Iterable[CallRecord]) -> set[Conversation]:
    """What the journal holds a reply to."""
    return {_conversation(json.loads(call.request)) for call in calls if call.status == "completed"}


def _conversation(request: dict[str, object]) -> Conversation:
    messages = request["messages"]
    assert isinstance(messages, list)
    return (("system", str(request["system"])), *((m["role"], m["text"]) for m in messages))
