"""The script, the threads and the end of a scripted server, over plain HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from bottega.testing import (
    CutStream,
    Delay,
    Fail,
    Hang,
    Prose,
    Received,
    Redirect,
    Say,
    ScriptedServer,
    ServedModel,
    Step,
)


def ask(server: ScriptedServer, text: str = "hello", **more: Any) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], "stream": False, **more}
    return httpx.post(f"{server.url}/api/chat", json=body, timeout=5, headers={"X-Trace": "7"})


def content(reply: httpx.Response) -> str:
    return str(reply.json()["message"]["content"])


def test_steps_are_taken_one_by_one() -> None:
    with ScriptedServer([Say("one"), Fail(503), Prose("three")]) as server:
        replies = [ask(server) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 503, 200]
    assert [content(replies[0]), content(replies[2])] == ["one", "three"]


def test_requests_are_kept_in_order_of_arrival() -> None:
    with ScriptedServer([Say("x")], repeat_last=True) as server:
        httpx.get(f"{server.url}/api/tags?page=1")
        ask(server, "first")
        ask(server, "second")
    assert [request.path for request in server.requests] == ["/api/tags", "/api/chat", "/api/chat"]
    assert [request.prompt for request in server.asked] == ["first", "second"]
    assert server.asked[0].headers["x-trace"] == "7"
    assert server.asked[0].at <= server.asked[1].at


def test_a_script_that_runs_out_says_so() -> None:
    with ScriptedServer([Say("one")]) as server:
        ask(server)
        reply = ask(server)
    assert reply.status_code == 500
    assert reply.json() == {"error": "the script has 1 steps and this is request 2"}


def test_the_last_step_can_repeat() -> None:
    with ScriptedServer([Say("one"), Say("two")], repeat_last=True) as server:
        assert [content(ask(server)) for _ in range(4)] == ["one", "two", "two", "two"]


def test_a_function_answers_by_content() -> None:
    def echo(request: Received) -> Step:
        return Say(request.prompt.upper())

    with ScriptedServer(echo) as server:
        assert content(ask(server, "loud")) == "LOUD"


def test_a_mistake_in_the_function_reaches_the_test() -> None:
    def demand(request: Received) -> Step:
        assert request.prompt == "please"
        return Say("here")

    with (
        pytest.raises(AssertionError, match="please"),
        ScriptedServer(demand) as server,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        ask(server, "now")


def test_refusals_take_no_step() -> None:
    with ScriptedServer([Say("hi")], models=[ServedModel("m")]) as server:
        assert ask(server, model="other").status_code == 404
        assert httpx.post(f"{server.url}/api/chat", content=b"not json").status_code == 400
        assert httpx.post(f"{server.url}/api/embed", json={"model": "m"}).status_code == 404
        assert content(ask(server)) == "hi"


def test_the_prompt_counts_every_shape_of_text() -> None:
    blocks = [{"type": "text", "text": "b"}, {"type": "tool_result", "content": [{"text": "c"}]}]
    body: dict[str, Any] = {"system": "a", "messages": [{"role": "user", "content": blocks}], "tools": []}
    assert Received("/v1/messages", {}, body, 0.0).prompt == "a\nb\nc"


def test_a_redirect_keeps_the_body() -> None:
    with (
        ScriptedServer([Say("over here")]) as second,
        ScriptedServer([Redirect(f"{second.url}/api/chat")]) as first,
        httpx.Client(follow_redirects=True) as client,
    ):
        reply = client.post(f"{first.url}/api/chat", json=first_words())
    assert content(reply) == "over here"
    assert second.asked[0].body == first_words()


def first_words() -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": False}


def test_eight_threads_share_a_script_without_losing_a_step() -> None:
    steps = [Delay(0.02, Say(str(number))) for number in range(8)]
    with ScriptedServer(steps) as server, ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(lambda _: content(ask(server)), range(8)))
    assert sorted(heard) == [str(number) for number in range(8)]


def test_eight_threads_are_served_at_the_same_time() -> None:
    together = threading.Barrier(8, timeout=5)

    def meet(request: Received) -> Step:
        together.wait()
        return Say(request.prompt)

    with ScriptedServer(meet) as server, ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(lambda number: content(ask(server, str(number))), range(8)))
    assert heard == [str(number) for number in range(8)]


def test_a_slow_stream_arrives_piece_by_piece() -> None:
    with (
        ScriptedServer([Say("one two three", pace=0.03)]) as server,
        httpx.stream("POST", f"{server.url}/api/chat", json={**first_words(), "stream": True}) as reply,
    ):
        arrivals = [(time.monotonic(), json.loads(line)) for line in reply.iter_lines()]
    assert arrivals[-1][0] - arrivals[0][0] > 0.05
    assert arrivals[-1][1]["done"]


@pytest.mark.parametrize("step", [Hang(), Delay(60, Say("late")), Say("late", delay=60)])
def test_leaving_the_block_ends_a_reply_nobody_waits_for(step: Step) -> None:
    with ScriptedServer([step]) as server:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.url}/api/chat", json=first_words(), timeout=0.05)
        began = time.monotonic()
    assert time.monotonic() - began < 1


def test_leaving_the_block_hangs_up_on_a_client_that_still_waits() -> None:
    with ThreadPoolExecutor(1) as pool:
        with ScriptedServer([Hang()]) as server:
            waiting = pool.submit(ask, server)
            wait_until(lambda: bool(server.requests))
        with pytest.raises(httpx.RemoteProtocolError):
            waiting.result(timeout=5)


def wait_until(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not is_done() and time.monotonic() < deadline:
        time.sleep(0.005)


def test_no_thread_and_no_socket_outlives_the_block() -> None:
    before = threading.active_count()
    with httpx.Client() as kept_alive:
        with ScriptedServer([Say("one"), CutStream("two", after=1)]) as server:
            kept_alive.post(f"{server.url}/api/chat", json=first_words())
            with pytest.raises(httpx.RemoteProtocolError):
                ask(server)
        wait_until(lambda: threading.active_count() == before)
        assert threading.active_count() == before
        with pytest.raises(httpx.ConnectError):
            ask(server)


def test_the_address_is_known_only_once_the_server_runs() -> None:
    with pytest.raises(RuntimeError, match="inside a `with` block"):
        _ = ScriptedServer([]).url
