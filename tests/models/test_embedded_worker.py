"""The worker of an embedded model with tiny weights that count for ever: it answers, and a cancel stops it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bottega.models import Model, ModelConfig, Request

from .cancelling import CallInThread, cancel_during, wait_until
from .doubles import opened
from .test_embedded import workers
from .tiny_gguf import write_tiny_gguf

pytest.importorskip("xllamacpp")

FOR_EVER = Request.of("count", max_tokens=60_000, temperature=0.0)
"""Takes a tiny model about ten seconds."""
SHORT = Request.of("count", max_tokens=3, temperature=0.0)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> ModelConfig:
    path = tmp_path_factory.mktemp("weights") / "tiny.gguf"
    write_tiny_gguf(path)
    return ModelConfig(str(path), "embedded", context_window=65_536, max_tokens=60_000, timeout=60, threads=1)


@pytest.fixture
def model(config: ModelConfig) -> Iterator[Model]:
    with opened(config) as model:
        yield model


def test_it_answers(model: Model) -> None:
    heard: list[str] = []
    reply = model.complete(SHORT, heard.append)
    assert reply.text == " number000 number001 number002"
    assert "".join(heard) == reply.text
    assert (reply.finish, reply.usage.completion_tokens) == ("length", 3)


def test_a_cancel_stops_the_generation_and_the_same_worker_answers_the_next_call(model: Model) -> None:
    model.complete(SHORT)
    (before,) = workers()
    heard: list[str] = []
    cancel_during(lambda: model.complete(FOR_EVER, heard.append), lambda: len(heard) > 20)
    started = time.monotonic()
    assert model.complete(SHORT).text == " number000 number001 number002"
    assert time.monotonic() - started < 3, "the worker has one slot, which the abandoned call still occupied"
    assert workers() == [before]


def test_a_cancel_while_the_worker_starts_leaves_no_process_and_the_next_call_starts_another(model: Model) -> None:
    cancel_during(lambda: model.complete(FOR_EVER), workers)
    wait_until(lambda: len(workers()) <= 1)
    assert model.complete(SHORT).finish == "length"


def test_a_call_that_waits_for_another_to_start_the_worker_ends(config: ModelConfig) -> None:
    with opened(replace(config, concurrency=2)) as model:
        first = CallInThread(lambda: model.complete(SHORT))
        second = CallInThread(lambda: model.complete(FOR_EVER))
        wait_until(workers)
        second.cancel()
        first.thread.join(30)
        assert first.raised is None
        assert model.complete(SHORT).finish == "length"


def test_calls_of_two_threads_share_one_worker(config: ModelConfig) -> None:
    with opened(replace(config, concurrency=2, context_window=1024)) as model:
        replies: list[str] = []
        threads = [threading.Thread(target=lambda: replies.append(model.complete(SHORT).text)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert replies == [" number000 number001 number002"] * 4
        assert len(workers()) == 1
