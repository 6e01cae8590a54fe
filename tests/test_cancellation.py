"""A token stops whatever a run waits for, in every thread that works for the run."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bottega.cancellation import Cancellation, cancel_scope, current_cancellation, keep_scope
from bottega.errors import BottegaError, Cancelled


def _cancel_soon(token: Cancellation) -> None:
    threading.Timer(0.05, token.cancel, args=["by a test"]).start()


def test_a_sleep_ends_when_the_token_is_cancelled() -> None:
    token = Cancellation()
    _cancel_soon(token)
    began = time.monotonic()
    with cancel_scope(token), pytest.raises(Cancelled, match="by a test"):
        current_cancellation().sleep(30)
    assert time.monotonic() - began < 10


def test_outside_of_a_run_nothing_is_cancelled() -> None:
    current_cancellation().check()
    current_cancellation().sleep(0.001)


def test_a_blocking_call_is_interrupted_and_raises_cancelled() -> None:
    ours, theirs = socket.socketpair()
    token = Cancellation()
    _cancel_soon(token)

    def close() -> None:
        ours.shutdown(socket.SHUT_RDWR)

    def receive() -> bytes:
        data = ours.recv(1)
        if not data:
            raise ConnectionError
        return data

    with ours, theirs, pytest.raises(Cancelled), token.interrupting(close):
        receive()


def test_what_a_call_returned_before_the_cancel_is_kept() -> None:
    token = Cancellation()
    with token.interrupting(lambda: None):
        value = "paid for"
        token.cancel()
    assert value == "paid for"
    with pytest.raises(Cancelled), token.interrupting(lambda: None):
        pytest.fail("a cancelled token begins nothing new")


def test_threads_of_a_run_work_under_its_token() -> None:
    token = Cancellation()
    with ThreadPoolExecutor(2) as pool:
        with cancel_scope(token):
            seen = [pool.submit(keep_scope(current_cancellation)).result() for _ in range(4)]
        outside = pool.submit(current_cancellation).result()
    assert seen == [token] * 4
    assert outside is not token


def test_no_handler_of_failures_takes_a_cancel_for_one() -> None:
    assert not issubclass(Cancelled, BottegaError | Exception)
