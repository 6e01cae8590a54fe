"""A cancelled run ends its model call at once, wherever the call waits, and the next call works."""

from __future__ import annotations

import gc
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import httpcore2
import pytest

from bottega.cancellation import Cancellation, cancel_scope, current_cancellation
from bottega.errors import Cancelled
from bottega.models import ModelConfig, Request
from bottega.models.http import call_budget
from bottega.models.http.network import DeadlineBackend
from bottega.testing import Fail, Hang, Say, ScriptedModel, ScriptedServer, Stall, Step

from .cancelling import CallInThread, cancel_during, wait_until
from .doubles import PATIENT, config_for, opened, talking

LONG = ModelConfig("m", "scripted", timeout=60)
HELLO = Request.of("hello")


def test_a_call_without_an_answer_ends(wire: str) -> None:
    server = ScriptedServer([Hang(), Say("well")])
    with talking(wire, server, LONG) as model:
        cancel_during(lambda: model.complete(HELLO), lambda: server.asked)
        assert model.complete(HELLO).text == "well"


def test_a_call_in_the_middle_of_its_stream_ends(wire: str) -> None:
    server = ScriptedServer([Stall("some words and then nothing", after=10), Say("well")])
    heard: list[str] = []
    with talking(wire, server, LONG) as model:
        cancel_during(lambda: model.complete(HELLO, heard.append), lambda: len("".join(heard)) == 10)
        assert model.complete(HELLO).text == "well"


def test_a_stream_that_never_pauses_ends(wire: str) -> None:
    server = ScriptedServer([Say("word " * 5000, pace=0.002), Say("well")])
    heard: list[str] = []
    with talking(wire, server, LONG) as model:
        cancel_during(lambda: model.complete(HELLO, heard.append), lambda: len(heard) > 5)
        assert model.complete(HELLO).text == "well"


def test_a_connection_that_a_cancel_shut_down_is_not_used_again(wire: str) -> None:
    """The first call leaves an open connection in the pool, which the second one is cancelled on."""
    server = ScriptedServer([Say("first"), Hang(), Say("third")])
    with talking(wire, server, LONG) as model:
        assert model.complete(HELLO).text == "first"
        cancel_during(lambda: model.complete(HELLO), lambda: len(server.asked) == 2)
        assert model.complete(HELLO).text == "third"


def test_a_cancel_of_one_run_leaves_the_calls_of_another_alone(wire: str) -> None:
    release = threading.Event()

    def script(_ask: object) -> Step:
        release.wait(20)
        return Say("well")

    server = ScriptedServer(script)
    with talking(wire, server, LONG) as model:
        other = CallInThread(lambda: model.complete(HELLO))
        wait_until(lambda: len(server.asked) == 1)
        cancel_during(lambda: model.complete(HELLO), lambda: len(server.asked) == 2)
        release.set()
        other.thread.join(20)
    assert other.raised is None


def test_a_run_that_is_already_cancelled_sends_nothing(wire: str) -> None:
    token = Cancellation()
    token.cancel()
    server = ScriptedServer([Say("unheard")])
    with talking(wire, server) as model, cancel_scope(token), pytest.raises(Cancelled):
        model.complete(HELLO)
    assert not server.asked


@pytest.mark.parametrize("status", [429, 500])
def test_an_error_that_never_ends_its_body_ends(wire: str, status: int) -> None:
    """The body of an error is read with its own limits, and under the same token."""
    from bench.wire_attack.server import RawReply, RawServer

    head = b"HTTP/1.1 %d Broken\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n" % status
    with RawServer() as server:
        server.reply = RawReply((head, b"{"), is_held=True)
        with opened(config_for(wire, server.url, LONG)) as model:
            call = CallInThread(lambda: model.complete(HELLO))
            time.sleep(0.2)
            call.cancel()


@contextmanager
def silent_listener() -> Iterator[tuple[socket.socket, int]]:
    """A port that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener, int(listener.getsockname()[1])


def test_an_unfinished_tls_handshake_ends(wire: str) -> None:
    with silent_listener() as (listener, port), opened(config_for(wire, f"https://127.0.0.1:{port}", LONG)) as model:
        accepted: list[socket.socket] = []
        hello: list[bytes] = []

        def accept() -> None:
            accepted.append(listener.accept()[0])
            hello.append(accepted[0].recv(1))

        threading.Thread(target=accept, daemon=True).start()
        cancel_during(lambda: model.complete(HELLO), lambda: hello)
        accepted[0].close()


@contextmanager
def full_listener() -> Iterator[int]:
    """A port whose queue of connections is full: Linux ignores further requests to connect."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = int(listener.getsockname()[1])
        waiting = []
        for _ in range(4):
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
            waiting.append(connection)
        time.sleep(0.05)
        yield port
        for connection in waiting:
            connection.close()


def test_a_connect_in_progress_ends(wire: str) -> None:
    with full_listener() as port, opened(config_for(wire, f"http://127.0.0.1:{port}", LONG)) as model:
        call = CallInThread(lambda: model.complete(HELLO))
        time.sleep(0.3)
        assert call.raised is None
        call.cancel()


def test_a_name_look_up_ends_and_its_late_connection_is_closed() -> None:
    resolving, resolved = threading.Event(), threading.Event()

    def look_up(_host: str, _port: int) -> list[str]:
        resolving.set()
        resolved.wait(20)
        return ["127.0.0.1"]

    with silent_listener() as (listener, port):
        backend = DeadlineBackend(look_up)

        def connect() -> httpcore2.NetworkStream:
            with call_budget(60):
                return backend.connect_tcp("models.example", port)

        cancel_during(connect, resolving.is_set)
        resolved.set()
        listener.settimeout(20)
        late, _ = listener.accept()
        late.settimeout(20)
        assert late.recv(1) == b"", "the abandoned connection closes itself"
        late.close()


@pytest.mark.parametrize("question", ["available", "context_length"])
def test_questions_about_models_end_as_well(wire: str, question: str) -> None:
    with silent_listener() as (listener, port), opened(config_for(wire, f"http://127.0.0.1:{port}", LONG)) as model:
        accepted: list[socket.socket] = []
        threading.Thread(target=lambda: accepted.append(listener.accept()[0]), daemon=True).start()
        cancel_during(getattr(model, question), lambda: accepted)
        accepted[0].close()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_cancel_at_any_moment_leaves_no_connection_behind(scheme: str) -> None:
    """A socket that nobody closes is a warning, and warnings are errors here."""
    with silent_listener() as (_, port):
        for microseconds in range(0, 3000, 100):
            with opened(config_for("openai", f"{scheme}://127.0.0.1:{port}", LONG)) as model:
                call = CallInThread(partial(model.complete, HELLO))
                time.sleep(microseconds / 1e6)
                call.cancel()
    gc.collect()


def test_a_script_that_waits_ends() -> None:
    waiting = threading.Event()

    def script(_request: Request) -> str:
        if not waiting.is_set():
            waiting.set()
            current_cancellation().sleep(60)
        return "well"

    model = ScriptedModel(script)
    cancel_during(lambda: model.complete(HELLO), waiting.is_set)
    assert model.complete(HELLO).text == "well"


def test_a_call_behind_another_call_of_a_script_ends() -> None:
    begun, release = threading.Event(), threading.Event()

    def script(_request: Request) -> str:
        begun.set()
        release.wait(20)
        return "well"

    model = ScriptedModel(script)
    first = CallInThread(lambda: model.complete(HELLO))
    wait_until(begun.is_set)
    second = CallInThread(lambda: model.complete(HELLO))
    time.sleep(0.1)
    second.cancel()
    release.set()
    first.thread.join(20)
    assert first.raised is None


def test_a_script_stops_streaming() -> None:
    token = Cancellation()
    heard: list[str] = []

    def hear(text: str) -> None:
        heard.append(text)
        token.cancel()

    with cancel_scope(token), pytest.raises(Cancelled):
        ScriptedModel(["one\ntwo\nthree\n"]).complete(HELLO, hear)
    assert heard == ["one\n"]


def test_a_real_failure_stays_a_failure_when_nothing_is_cancelled(wire: str) -> None:
    with talking(wire, ScriptedServer([Fail(500), Say("well")]), PATIENT) as model, cancel_scope(Cancellation()):
        with pytest.raises(Exception, match="500"):
            model.complete(HELLO)
        assert model.complete(HELLO).text == "well"
