"""The models of a workshop: choose one, check the budget, record the call, send it, check the reply."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bottega.cancellation import current_cancellation
from bottega.errors import BottegaError, Cancelled, PromptTooLong, ReplyRejected
from bottega.journal import CallPlace, FactStore
from bottega.models.breaker import Breaker
from bottega.models.call_log import CallLog
from bottega.models.ceilings import Ceilings
from bottega.models.config import ModelConfig
from bottega.models.contracts import Contract, ContractBroken
from bottega.models.ledger import Ledger
from bottega.models.prices import cost, price_of
from bottega.models.provider import close_model
from bottega.models.request import Model, OnText, Reply, Request
from bottega.models.retry import RetryPolicy
from bottega.models.router import ModelRouter
from bottega.models.sender import Sender
from bottega.models.surrogates import join_surrogates
from bottega.settings import Price

T = TypeVar("T")
_LONGEST_QUOTE = 8000


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The value that a contract parsed from a reply; `repaired` if it took the repair turn."""

    value: T
    reply: Reply
    repaired: bool = False


class Roster:
    """The models of one workshop, used by many threads at once; `log` says where a call is recorded."""

    def __init__(
        self,
        router: ModelRouter,
        *,
        open_model: Callable[[ModelConfig], Model],
        facts: FactStore | None = None,
        ledger: Ledger | None = None,
        prices: Mapping[str, Price] | None = None,
        retry: RetryPolicy | None = None,
        breaker: Breaker | None = None,
        on_wait: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.router = router
        self.ledger = ledger or Ledger(facts)
        self._open_model = open_model
        self._prices = prices or {}
        self._sender = Sender(retry=retry or RetryPolicy(), breaker=breaker or Breaker(), facts=facts, on_wait=on_wait)
        self._models: dict[ModelConfig, Model] = {}
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

        `model` is the id of a model to use instead of the role's.
        """
        request = replace(request, schema=contract.schema)
        reply = self.complete(request, role=role, log=log, ceilings=ceilings, on_text=on_text, model=model)
        try:
            return Answer(self._parse(contract, reply, log), reply)
        except ContractBroken as broken:
            reason = str(broken)
        again = request.followed_by(_shorten(reply.text), contract.reminder(reason))
        try:
            reply = self.complete(again, role=role, log=log, ceilings=ceilings, on_text=on_text, model=model)
        except PromptTooLong:
            raise ReplyRejected(reply.model, reason, reply.text) from None
        try:
            return Answer(self._parse(contract, reply, log), reply, repaired=True)
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
        """Ask for text. Secrets are masked; a call that is complete in the log is answered from it, without cost."""
        current_cancellation().check()
        request = log.mask(request)
        place, recalled = log.recall(request)
        if recalled is not None:
            return recalled
        config = self.router.named(model) if model else self.router.resolve(role, request.stage or None)
        request = self._fill_options(request, config)
        self.ledger.admit(config, request)
        if ceilings is not None:
            ceilings.check(config.id, price_known=self.price(config) is not None)
        return self._send_recorded(config, request, role, log, place, ceilings, on_text)

    def model(self, config: ModelConfig) -> Model:
        """The model of a configuration; roles share one if only temperature or reply length differ."""
        config = replace(config, temperature=0.0, max_tokens=1)
        with self._lock:
            if config not in self._models:
                self._models[config] = self._open_model(config)
            return self._models[config]

    def price(self, config: ModelConfig) -> Price | None:
        """The price of a model; None when it is unknown."""
        return price_of(config, self._prices)

    def is_circuit_open(self, model: str) -> bool:
        """Whether calls to a model are refused for now because it failed repeatedly."""
        return self._sender.breaker.is_open(model)

    def close(self) -> None:
        with self._lock:
            for model in self._models.values():
                close_model(model)
            self._models.clear()

    def _fill_options(self, request: Request, config: ModelConfig) -> Request:
        """Name every option in the request, so that its record is complete."""
        return replace(
            request,
            temperature=config.temperature if request.temperature is None else request.temperature,
            max_tokens=min(request.max_tokens or config.max_tokens, config.max_tokens),
        )

    def _parse(self, contract: Contract[T], reply: Reply, log: CallLog) -> T:
        try:
            value = contract.parse(reply)
        except ContractBroken as broken:
            log.rule(reply.call_id, "refused", str(broken))
            raise
        log.rule(reply.call_id, "accepted", "")
        return value

    def _send_recorded(
        self,
        config: ModelConfig,
        request: Request,
        role: str,
        log: CallLog,
        place: CallPlace,
        ceilings: Ceilings | None,
        on_text: OnText | None,
    ) -> Reply:
        """Record the call before it is sent, and its reply or its failure after."""
        call_id = log.send(place, request, role=role, model=config.id)
        with _record_failure(log, call_id):
            model = self.model(config)
            reply = self._sender.send(model, config, request, log=log, call_id=call_id, on_text=on_text)
            reply = _repair_surrogates(reply)
        self.ledger.learn(config.id, request, reply.usage.prompt_tokens)
        reply = replace(reply, usage=self.ledger.estimate_usage(config, request, reply))
        spent = cost(config, reply.usage, self._prices)
        log.complete(call_id, reply, cost=spent)
        if ceilings is not None:
            ceilings.add((reply.usage.prompt_tokens or 0) + (reply.usage.completion_tokens or 0), spent)
        return replace(reply, call_id=call_id, model=config.id)


@contextmanager
def _record_failure(log: CallLog, call_id: str) -> Iterator[None]:
    """Record what ends the block early: an error by its name, a cancel as "cancelled", all else as "interrupted"."""
    failure = "interrupted"
    try:
        yield
        failure = ""
    except BottegaError as error:
        failure = f"{type(error).__name__}: {error}"
        raise
    except Cancelled:
        failure = "cancelled"
        raise
    finally:
        if failure:
            log.fail(call_id, failure)


def _repair_surrogates(reply: Reply) -> Reply:
    """Join surrogate pairs that a stream split; a lone surrogate cannot be stored and becomes U+FFFD."""
    return replace(reply, text=join_surrogates(reply.text), thinking=join_surrogates(reply.thinking))


def _shorten(text: str) -> str:
    """The refused reply as the repair turn quotes it: only its beginning if it is long, to spare the context window."""
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "\n…"
