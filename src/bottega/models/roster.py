"""The models of a workshop at work: choose, account, record, wait, retry, send."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic, TypeVar

from bottega.errors import BottegaError, ModelError, ModelFault, PromptTooLong, ReplyRejected
from bottega.journal import CallPlace, Facts, now
from bottega.models.breaker import Breaker
from bottega.models.ceilings import Ceilings
from bottega.models.config import ModelConfig
from bottega.models.contracts import Contract, ContractBroken
from bottega.models.ledger import Ledger
from bottega.models.prices import cost, price_of
from bottega.models.recall import CallLog
from bottega.models.request import Model, OnText, Reply, Request
from bottega.models.retry import RetryPolicy
from bottega.models.router import ModelRouter
from bottega.settings import Price

T = TypeVar("T")
_LONGEST_QUOTE = 8000


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A reply that kept its contract, as the value it stands for."""

    value: T
    reply: Reply
    repaired: bool = False


class Roster:
    """Everyone who can be asked. One roster serves a whole process; calls are recorded where `log` says."""

    def __init__(
        self,
        router: ModelRouter,
        *,
        open_model: Callable[[ModelConfig], Model],
        facts: Facts | None = None,
        ledger: Ledger | None = None,
        prices: Mapping[str, Price] | None = None,
        retry: RetryPolicy | None = None,
        breaker: Breaker | None = None,
        on_wait: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.router = router
        self._on_wait = on_wait
        self.ledger = ledger or Ledger(facts)
        self._open_model = open_model
        self._facts = facts
        self._prices = prices or {}
        self._retry = retry or RetryPolicy()
        self._breaker = breaker or Breaker()
        self._models: dict[ModelConfig, Model] = {}
        self._queues: dict[str, threading.BoundedSemaphore] = {}
        self._lock = threading.Lock()

    def ask(
        self,
        request: Request,
        contract: Contract[T],
        *,
        role: str,
        log: CallLog,
        ceilings: Ceilings | None = None,
        on_text: OnText | None = None,
        model: str = "",
    ) -> Answer[T]:
        """Ask for a value: parse, one repair turn that carries the exact error, then `ReplyRejected`.

        `model` names one for this request, instead of the one that works in the role.
        """
        request = replace(request, schema=contract.schema)
        reply = self.complete(request, role=role, log=log, ceilings=ceilings, on_text=on_text, model=model)
        try:
            return Answer(self._kept(contract, reply, log), reply)
        except ContractBroken as broken:
            reason = str(broken)
        again = request.followed_by(_quoted(reply.text), contract.reminder(reason))
        try:
            reply = self.complete(again, role=role, log=log, ceilings=ceilings, on_text=on_text, model=model)
        except PromptTooLong:
            raise ReplyRejected(reply.model, reason, reply.text) from None
        try:
            return Answer(self._kept(contract, reply, log), reply, repaired=True)
        except ContractBroken as broken:
            raise ReplyRejected(reply.model, str(broken), reply.text) from None

    def complete(
        self,
        request: Request,
        *,
        role: str,
        log: CallLog,
        ceilings: Ceilings | None = None,
        on_text: OnText | None = None,
        model: str = "",
    ) -> Reply:
        """Ask for text, secrets masked. What is already in the log is answered from it and costs nothing."""
        request = log.mask(request)
        place, recalled = log.recall(request)
        if recalled is not None:
            return recalled
        config = self.router.named(model) if model else self.router.resolve(role, request.stage or None)
        request = self._filled(request, config)
        self.ledger.admit(config, request)
        if ceilings is not None:
            ceilings.check(config.id, price_known=self.price(config) is not None)
        return self._recorded(config, request, role, log, place, ceilings, on_text)

    def model(self, config: ModelConfig) -> Model:
        """One for each place and window: roles that differ in tuning alone share it, since requests say it all."""
        config = replace(config, temperature=0.0, max_tokens=1)
        with self._lock:
            if config not in self._models:
                self._models[config] = self._open_model(config)
            return self._models[config]

    def price(self, config: ModelConfig) -> Price | None:
        """What a model costs, where that is known."""
        return price_of(config, self._prices)

    def rests(self, model: str) -> bool:
        """Whether a model failed so often that it is left alone for now."""
        return self._breaker.is_open(model)

    def close(self) -> None:
        with self._lock:
            for model in self._models.values():
                close = getattr(model, "close", None)
                if close is not None:
                    close()
            self._models.clear()

    def _filled(self, request: Request, config: ModelConfig) -> Request:
        """Say every option, so that the record is complete."""
        return replace(
            request,
            temperature=config.temperature if request.temperature is None else request.temperature,
            max_tokens=min(request.max_tokens or config.max_tokens, config.max_tokens),
        )

    def _kept(self, contract: Contract[T], reply: Reply, log: CallLog) -> T:
        try:
            value = contract.parse(reply)
        except ContractBroken as broken:
            log.rule(reply.call_id, "refused", str(broken))
            raise
        log.rule(reply.call_id, "accepted", "")
        return value

    def _recorded(
        self,
        config: ModelConfig,
        request: Request,
        role: str,
        log: CallLog,
        place: CallPlace,
        ceilings: Ceilings | None,
        on_text: OnText | None,
    ) -> Reply:
        call_id = log.send(place, request, role=role, model=config.id)
        failure = "interrupted"
        try:
            reply = _paired(self._sent(config, request, log, call_id, on_text))
            failure = ""
        except BottegaError as error:
            failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            if failure:
                log.fail(call_id, failure)
        spent = cost(config, reply.usage, self._prices)
        log.complete(call_id, reply, cost=spent)
        self.ledger.learn(config.id, request, reply.usage.prompt_tokens)
        if ceilings is not None:
            ceilings.add((reply.usage.prompt_tokens or 0) + (reply.usage.completion_tokens or 0), spent)
        return replace(reply, call_id=call_id, model=config.id)

    def _sent(self, config: ModelConfig, request: Request, log: CallLog, call_id: str, on_text: OnText | None) -> Reply:
        """One call through breaker, queue and retries; for the breaker, all tries of a call are one."""
        with self._breaker.watch(config.id):
            for attempt in count(1):
                started_at = now()
                try:
                    with self._queue(config):
                        reply = self._answered(config, request, on_text)
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

    def _answered(self, config: ModelConfig, request: Request, on_text: OnText | None) -> Reply:
        """Ask for constrained decoding unless the server is known not to do it; remember when it refuses."""
        model = self.model(config)
        if request.schema is None or self._schema_support(config) is False:
            return model.complete(replace(request, schema=None), on_text)
        try:
            return model.complete(request, on_text)
        except ModelFault as error:
            if error.passing or not _is_about_schema(str(error)):
                raise
            self._remember_schema(config, supported=False)
            return model.complete(replace(request, schema=None), on_text)

    def _schema_support(self, config: ModelConfig) -> bool | None:
        known = self._facts.get(config.id, "json_schema") if self._facts else None
        return bool(known) if known is not None else None

    def _remember_schema(self, config: ModelConfig, *, supported: bool) -> None:
        if self._facts is not None:
            self._facts.put(config.id, "json_schema", supported)

    def _queue(self, config: ModelConfig) -> threading.BoundedSemaphore:
        with self._lock:
            return self._queues.setdefault(config.server, threading.BoundedSemaphore(config.concurrency))


def _paired(reply: Reply) -> Reply:
    """Halves of one character that came in two pieces of a stream make one again; a lone half cannot be stored."""
    text, thinking = (
        said.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for said in (reply.text, reply.thinking)
    )
    return replace(reply, text=text, thinking=thinking)


def _quoted(text: str) -> str:
    """The refused reply as the repair turn shows it: a long one by its beginning, so that it cannot fill the window."""
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "\n…"


def _is_about_schema(text: str) -> bool:
    return any(word in text.lower() for word in ("response_format", "json_schema", "schema", "grammar", "format"))
