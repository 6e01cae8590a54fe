"""A server gets no more calls at a time than its limit, from however many workshops and threads of the process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field

import pytest

from bottega.errors import ModelError
from bottega.models import ModelConfig, ModelRouter, NoLog, Request, RetryPolicy, Roster, open_model
from bottega.models.call_queue import CallQueue, CallQueues, find_queue
from bottega.testing import Fail, Received, Say, ScriptedModel, ScriptedServer, Step

from .cancelling import wait_until
from .doubles import base_url, settings_for

PATIENCE = 20.0
GLANCE = 0.02


@dataclass
class Measure:
    """A script that notes which models are being served at once; calls stay until `expected` of them have met."""

    expected: int = 1
    served: list[str] = field(default_factory=list)
    together: list[tuple[str, ...]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, ask: Received) -> Step:
        with self.changed:
            self.served.append(ask.model)
            self.together.append(tuple(sorted(self.served)))
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.most >= self.expected, PATIENCE)
            self.changed.wait_for(lambda: self.most > self.expected, GLANCE)
            self.served.remove(ask.model)
        return Say("well")

    @property
    def most(self) -> int:
        return max(map(len, self.together), default=0)


@contextmanager
def rosters(url: str, *limits: int, wire: str = "openai") -> Iterator[list[Roster]]:
    """One roster for each limit, all before the same server; the model is named after the limit."""
    made = []
    for limit in limits:
        place = {"kind": wire, "base_url": base_url(wire, url), "concurrency": limit}
        router = ModelRouter(settings_for(f"here/limit-{limit}", here=place))
        made.append(Roster(router, open_model=lambda config: open_model(config, {}), retry=RetryPolicy(retries=0)))
    yield made
    for roster in made:
        roster.close()


def ask_at_once(rosters: Sequence[Roster], times: int) -> None:
    """Every roster asks so many times, each time in a thread of its own."""

    def ask(roster: Roster) -> None:
        with suppress(ModelError):
            roster.complete(Request.of("hello"), role="coding", log=NoLog())

    threads = [threading.Thread(target=ask, args=(roster,)) for _ in range(times) for roster in rosters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.mark.parametrize("limit", [1, 3])
def test_many_threads_keep_to_the_limit(wire: str, limit: int) -> None:
    measure = Measure(limit)
    with ScriptedServer(measure) as server, rosters(server.url, limit, wire=wire) as made:
        ask_at_once(made, times=20)
        assert measure.most == limit
        assert len(server.asked) == 20


@pytest.mark.parametrize("limit", [1, 2])
def test_workshops_of_one_process_share_the_limit(limit: int) -> None:
    measure = Measure(limit)
    with ScriptedServer(measure) as server, rosters(server.url, limit, limit, limit) as made:
        ask_at_once(made, times=5)
        assert measure.most == limit
        assert len(server.asked) == 15


def test_of_two_limits_the_smaller_one_holds_while_a_call_under_it_runs() -> None:
    measure = Measure(expected=4)
    with ScriptedServer(measure) as server, rosters(server.url, 4) as generous:
        ask_at_once(generous, times=8)
        assert measure.most == 4
    measure = Measure(expected=0)
    with ScriptedServer(measure) as server, rosters(server.url, 1, 4) as made:
        ask_at_once(made, times=8)
        assert len(server.asked) == 16
    alone = [models for models in measure.together if "limit-1" in models]
    assert alone
    assert all(models == ("limit-1",) for models in alone)


def test_a_failed_call_gives_its_slot_back() -> None:
    with ScriptedServer(lambda _ask: Fail(500)) as server, rosters(server.url, 1) as made:
        ask_at_once(made, times=2)
        assert len(server.asked) == 2


def test_calls_start_in_the_order_of_their_coming_so_that_a_small_limit_is_not_starved() -> None:
    queue, order, release = CallQueue(), [], threading.Event()

    def call(name: str, limit: int) -> None:
        with queue.slot(limit):
            order.append(name)
            release.wait(PATIENCE)

    threads = []
    for name, limit in [("first", 2), ("strict", 1), ("late", 2)]:
        threads.append(threading.Thread(target=call, args=(name, limit)))
        threads[-1].start()
        wait_until(lambda: len(order) + queue.waiting == len(threads))
    assert order == ["first"], "the late call would fit beside the first one, but the strict one came before it"
    release.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["first", "strict", "late"]


SAME = [
    (
        ModelConfig("m", "ollama", base_url="http://127.0.0.1:11434"),
        ModelConfig("n", "o", "openai", "http://localhost:11434/v1/"),
    ),
    (
        ModelConfig("m", "openai", base_url="https://a.example/v1"),
        ModelConfig("n", "openai", base_url="https://a.example/v1/"),
    ),
    (ModelConfig("m", "embedded"), ModelConfig("n", "small", kind="embedded")),
]
APART = [
    (
        ModelConfig("m", "ollama", base_url="http://127.0.0.1:11434"),
        ModelConfig("m", "ollama", base_url="http://127.0.0.1:1"),
    ),
    (
        ModelConfig("m", "a", "openai", "https://a.example/one"),
        ModelConfig("m", "a", "openai", "https://a.example/two"),
    ),
    (
        ModelConfig("m", "ollama", base_url="http://127.0.0.1:1"),
        ModelConfig("m", "ollama", base_url="http://10.0.0.1:1"),
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_server_under_two_names_has_one_queue(one: ModelConfig, other: ModelConfig) -> None:
    assert find_queue(one, CallQueues()) is find_queue(other, CallQueues())


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_servers_have_two_queues(one: ModelConfig, other: ModelConfig) -> None:
    assert find_queue(one, CallQueues()) is not find_queue(other, CallQueues())


def test_scripts_of_two_workshops_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    def meet(_request: Request) -> str:
        both.wait()
        return "met"

    first, second = (Roster(ModelRouter(settings_for()), open_model=lambda _: ScriptedModel(meet)) for _ in range(2))
    with closing(first), closing(second):
        ask_at_once([first, second], times=1)
    assert not both.broken
