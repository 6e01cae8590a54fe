"""The calls to one server wait here until the server has room for them.

A limit belongs to a server and not to whoever calls it, so that all workshops of a process share one queue per server.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from bottega.cancellation import current_cancellation
from bottega.models.config import ModelConfig
from bottega.models.providers import defaults_of
from bottega.settings import is_loopback


class CallQueue:
    """First come, first served; a call whose run is cancelled leaves the queue with `Cancelled`.

    A call starts when the number of calls in flight is below its own limit and below the limits of those in flight: of
    two limits for one server, the smaller one holds as long as a call under it waits or runs.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._limits_in_flight: list[int] = []

    @property
    def waiting(self) -> int:
        """How many calls wait for a slot."""
        return len(self._waiting)

    @contextmanager
    def slot(self, limit: int) -> Iterator[None]:
        """Wait for a slot, and hold it while the block runs."""
        self._enter(limit)
        try:
            yield
        finally:
            self._leave(limit)

    def _enter(self, limit: int) -> None:
        ticket = object()
        cancellation = current_cancellation()
        with cancellation.interrupting(self._wake), self._changed:
            self._waiting.append(ticket)
            try:
                self._changed.wait_for(lambda: cancellation.is_cancelled or self._admits(ticket, limit))
                cancellation.check()
                self._limits_in_flight.append(limit)
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()

    def _admits(self, ticket: object, limit: int) -> bool:
        return self._waiting[0] is ticket and len(self._limits_in_flight) < min([limit, *self._limits_in_flight])

    def _leave(self, limit: int) -> None:
        with self._changed:
            self._limits_in_flight.remove(limit)
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


class CallQueues:
    """One queue per server."""

    def __init__(self) -> None:
        self._queues: dict[str, CallQueue] = {}
        self._lock = threading.Lock()

    def of(self, server: str) -> CallQueue:
        with self._lock:
            return self._queues.setdefault(server, CallQueue())


PROCESS_QUEUES = CallQueues()


def find_queue(config: ModelConfig, own: CallQueues) -> CallQueue:
    """The queue of a model's server; models that run inside the calling process wait in `own` queues."""
    location = defaults_of(config.protocol).location
    if location == "process":
        return own.of(config.provider)
    return PROCESS_QUEUES.of(config.protocol if location == "machine" else server_key(config))


def server_key(config: ModelConfig) -> str:
    """What identifies a server: on this machine its port, elsewhere its address, else the provider's name.

    Ollama and its OpenAI-compatible interface are one server on one port; a gateway elsewhere may hold many.
    """
    url = config.base_url.rstrip("/")
    if is_loopback(url):
        parts = urlsplit(url)
        return f"localhost:{parts.port or parts.scheme}"
    return url or config.provider
