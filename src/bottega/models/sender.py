"""Send one call: through the circuit breaker, the queue of its server, and the retries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

from bottega.errors import ModelError, ModelFault
from bottega.journal import FactStore, now
from bottega.models.breaker import Breaker
from bottega.models.call_log import CallLog
from bottega.models.call_queue import CallQueues, find_queue
from bottega.models.config import ModelConfig
from bottega.models.request import Model, OnText, Reply, Request
from bottega.models.retry import RetryPolicy

_SCHEMA_WORDS = ("response_format", "json_schema", "schema", "grammar", "format")


class Sender:
    """Holds what the calls of a workshop share: failures per model, and which servers refuse schemas."""

    def __init__(
        self, *, retry: RetryPolicy, breaker: Breaker, facts: FactStore | None, on_wait: Callable[[str], None]
    ) -> None:
        self.breaker = breaker
        self._retry = retry
        self._facts = facts
        self._on_wait = on_wait
        self._queues = CallQueues()

    def send(
        self,
        model: Model,
        config: ModelConfig,
        request: Request,
        *,
        log: CallLog,
        call_id: str,
        on_text: OnText | None = None,
    ) -> Reply:
        """The reply, after as many attempts as the retry policy allows; the circuit breaker counts them as one call."""
        with self.breaker.watch(config.id):
            for attempt in count(1):
                started_at = now()
                try:
                    with find_queue(config, self._queues).slot(config.concurrency):
                        reply = self._complete(model, config, request, on_text)
                except ModelError as error:
                    log.attempt(call_id, attempt, started_at=started_at, error=f"{type(error).__name__}: {error}")
                    wait = self._retry.wait_before(attempt, error)
                    if wait is None:
                        raise
                    self._on_wait(f"{error}; trying again in {wait:.0f} s")
                    self._retry.sleep(wait)
                else:
                    log.attempt(call_id, attempt, started_at=started_at, error=None)
                    return reply
        raise AssertionError("count() does not end")

    def _complete(self, model: Model, config: ModelConfig, request: Request, on_text: OnText | None) -> Reply:
        """Ask for constrained decoding unless the server is known to lack it; remember a server that refuses it."""
        without_schema = replace(request, schema=None)
        if request.schema is None or self._supports_schema(config) is False:
            return model.complete(without_schema, on_text)
        try:
            return model.complete(request, on_text)
        except ModelFault as error:
            if error.passing or not _is_about_schema(str(error)):
                raise
        if self._facts is not None:
            self._facts.put(config.id, "json_schema", False)
        return model.complete(without_schema, on_text)

    def _supports_schema(self, config: ModelConfig) -> bool | None:
        """None while it is unknown."""
        known = self._facts.get(config.id, "json_schema") if self._facts else None
        return bool(known) if known is not None else None


def _is_about_schema(message: str) -> bool:
    return any(word in message.lower() for word in _SCHEMA_WORDS)
