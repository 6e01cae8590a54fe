"""A server can neither hang a call nor fill the memory, whatever it sends and however slowly."""

from __future__ import annotations

import gzip
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from bench.wire_attack.server import RawReply, RawServer

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    ReplyTooLarge,
)
from bottega.models import ModelConfig, Request
from bottega.testing import Answer, Fail, Garbage, Received, ScriptedServer
from bottega.testing.loopback import Loopback

from .doubles import HASTY, PATIENT, Desk, OpenDesk, Raw, chunks, config_for, events, lines, opened, talking

GENEROUS = 3.0
"""Seconds for a call that has 0.25 s. Without a deadline it would take for ever."""
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
BROKEN = CHUNKED.replace(b"200 OK", b"500 Broken")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def outcome(wire: str, reply: RawReply, like: ModelConfig = HASTY, question: str = "complete") -> ModelError:
    with RawServer() as server:
        server.reply = reply
        started = time.monotonic()
        arguments = (Request.of("hello"),) if question == "complete" else ()
        with opened(config_for(wire, server.url, like)) as model, pytest.raises(ModelError) as caught:
            getattr(model, question)(*arguments)
        assert time.monotonic() - started < like.timeout + GENEROUS
    return caught.value


TRICKLES = {
    "a space at a time": RawReply((CHUNKED, chunk(b" ")), pace=0.02, is_endless=True),
    "blank lines": RawReply((CHUNKED, chunk(b"\n")), pace=0.02, is_endless=True),
    "digits of a chunk size": RawReply((CHUNKED, b"0"), pace=0.02, is_endless=True),
    "headers": RawReply((b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), pace=0.02, is_endless=True),
    "interim responses": RawReply((b"HTTP/1.1 100 Continue\r\n\r\n",), pace=0.02, is_endless=True),
    "half a status line": RawReply((b"HTTP/1.",), is_held=True),
    "headers and silence": RawReply((CHUNKED,), is_held=True),
}


@pytest.mark.parametrize("trickle", TRICKLES.values(), ids=TRICKLES)
def test_a_trickle_of_anything_ends_with_the_timeout(wire: str, trickle: RawReply) -> None:
    assert isinstance(outcome(wire, trickle), ModelTimeout)


@pytest.mark.parametrize("hosted", ["openai", "anthropic"])
def test_comments_without_end_end_with_the_timeout(hosted: str) -> None:
    comments = RawReply((CHUNKED, chunk(b": still here\n\n")), pace=0.02, is_endless=True)
    assert isinstance(outcome(hosted, comments), ModelTimeout)


@pytest.mark.parametrize("question", ["available", "context_length"])
@pytest.mark.parametrize("trickle", ["headers", "a space at a time"])
def test_questions_about_models_end_with_the_timeout_as_well(wire: str, question: str, trickle: str) -> None:
    assert isinstance(outcome(wire, TRICKLES[trickle], question=question), ModelTimeout)


def test_a_trickle_through_a_proxy_ends_with_the_timeout(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with RawServer() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        proxy.reply = TRICKLES["headers"]
        started = time.monotonic()
        with (
            opened(config_for(wire, "http://models.invalid", HASTY)) as model,
            pytest.raises(ModelTimeout),
        ):
            model.complete(Request.of("hello"))
        assert time.monotonic() - started < GENEROUS


@contextmanager
def silent_listener() -> Iterator[int]:
    """A port where connections are made and nothing is ever said."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield int(listener.getsockname()[1])


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_half_open_connection_and_an_unfinished_handshake_end_with_the_timeout(wire: str, scheme: str) -> None:
    with silent_listener() as port:
        started = time.monotonic()
        with opened(config_for(wire, f"{scheme}://127.0.0.1:{port}", HASTY)) as model, pytest.raises(ModelTimeout):
            model.complete(Request.of("hello"))
        assert time.monotonic() - started < GENEROUS


def test_a_name_that_does_not_resolve_is_unreachable(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with opened(config_for(wire, "http://models.invalid")) as model, pytest.raises((ModelUnreachable, ModelTimeout)):
        model.complete(Request.of("hello"))


FLOODS = {
    "no newline": (CHUNKED, chunk(b"x" * 65_000)),
    "comments": (CHUNKED, chunk(b": comment\n" * 6500)),
    "lines of one event": (CHUNKED, chunk(b"data: x\n" * 8000)),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000),
    "interim responses": (b"HTTP/1.1 100 Continue\r\n\r\n" * 1000,),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_ends_at_a_limit(flood: tuple[bytes, ...]) -> None:
    error = outcome("openai", RawReply(flood, is_endless=True), replace(PATIENT, timeout=60))
    assert isinstance(error, ReplyTooLarge) or "stopped in the middle" in str(error)
    assert not isinstance(error, ModelTimeout)


def test_a_line_without_end_is_refused_at_the_limit_of_an_event() -> None:
    for wire in ("openai", "anthropic", "ollama"):
        error = outcome(wire, RawReply(FLOODS["no newline"], is_endless=True), replace(PATIENT, timeout=60))
        assert isinstance(error, ReplyTooLarge)
        assert "one event of more than 1 MiB" in str(error)
        assert "base_url" in error.hint


def test_a_reply_of_megabytes_of_text_is_refused() -> None:
    text = "".join(f"{number} " for number in range(20_000))
    piece = chunks({"choices": [{"delta": {"content": text}}]})
    assert isinstance(failure("openai", Raw(piece * 60)), ReplyTooLarge)


def test_an_error_body_without_end_does_not_hide_the_status(wire: str) -> None:
    flood = RawReply((BROKEN, chunk(b"x" * 65_000)), is_endless=True)
    error = outcome(wire, flood, PATIENT)
    assert isinstance(error, ModelFault)
    assert "500" in str(error)
    assert len(str(error)) < 700
    trickle = RawReply((BROKEN.replace(b"500 Broken", b"401 No"), chunk(b"x")), pace=0.02, is_endless=True)
    assert isinstance(outcome(wire, trickle), ModelRefused)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_compressed_reply_is_refused_before_it_is_unpacked(wire: str, coding: str) -> None:
    bomb = gzip.compress(bytes(50_000_000), 1)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n" % (coding.encode(), len(bomb))
    error = outcome(wire, RawReply((head + bomb,)), PATIENT)
    assert isinstance(error, ModelFault)
    assert "uncompressed" in str(error)


def test_replies_are_asked_for_uncompressed(wire: str) -> None:
    server = ScriptedServer([Fail(500)])
    with talking(wire, server) as model, pytest.raises(ModelFault):
        model.complete(Request.of("hello"))
    assert server.requests[0].headers["accept-encoding"] == "identity"


def failure(wire: str, step: Raw | Fail | Garbage) -> ModelError:
    with talking(wire, ScriptedServer([step])) as model, pytest.raises(ModelError) as caught:
        model.complete(Request.of("hello"))
    return caught.value


def choice(**delta: object) -> dict[str, object]:
    return {"choices": [{"delta": delta, "finish_reason": "stop"}]}


USAGES: list[object] = ["many", -1, 10**30, 1.5, True, [], {"a": 1}]
OPENAI_FAULTS = [
    *({"choices": [], "usage": {"prompt_tokens": count}} for count in USAGES),
    choice(reasoning_content=7),
    choice(reasoning=["x"]),
    choice(content={"text": "x"}),
    {"choices": {"0": {}}},
    {"choices": [{"delta": {}, "finish_reason": {"a": 1}}]},
    choice(tool_calls=[{"index": 10**30, "function": {"name": "look", "arguments": "{}"}}]),
    choice(tool_calls=[{"index": "0", "function": {"name": "look", "arguments": "{}"}}]),
    choice(tool_calls=[{"index": 0, "function": {"name": 7, "arguments": "{}"}}]),
    choice(tool_calls=[{"index": 0, "function": {"name": "look", "arguments": {"path": "a"}}}]),
    choice(tool_calls={"index": 0}),
]


@pytest.mark.parametrize("data", OPENAI_FAULTS, ids=repr)
def test_a_wrong_type_in_a_chunk_is_a_fault(data: object) -> None:
    error = failure("openai", Raw((*chunks(data), *chunks(choice(content="x")))))
    assert isinstance(error, ModelFault)
    assert "does not speak the OpenAI protocol" in str(error)


@pytest.mark.parametrize(
    "data",
    [
        *({"message": {"content": "x"}, "done": True, "prompt_eval_count": count} for count in USAGES),
        {"message": {"content": "x", "thinking": 7}, "done": True},
        {"message": {"content": "x"}, "done": "yes"},
        {"message": {"content": "x"}, "done": True, "done_reason": 5},
        {"message": {"tool_calls": [{"function": {"name": "look", "arguments": "{}"}}]}, "done": True},
        {"message": {"tool_calls": 5}, "done": True},
    ],
    ids=repr,
)
def test_a_wrong_type_in_a_line_is_a_fault(data: object) -> None:
    assert isinstance(failure("ollama", Raw(lines(data))), ModelFault)


def started(usage: object) -> dict[str, object]:
    return {"type": "message_start", "message": {"content": [], "usage": usage}}


@pytest.mark.parametrize(
    "data",
    [
        *([started({"input_tokens": count, "output_tokens": 1})] for count in USAGES),
        [started({"input_tokens": 1, "output_tokens": "many"})],
        [
            started({"input_tokens": 1}),
            {"type": "content_block_start", "index": "0", "content_block": {"type": "text"}},
        ],
        [started({"input_tokens": 1}), {"type": "content_block_start", "index": 0, "content_block": {"type": 7}}],
        [started({"input_tokens": 1}), {"type": "message_delta", "delta": {"stop_reason": 5}, "usage": {}}],
        [started({"input_tokens": 1}), {"type": "message_delta", "delta": {}, "usage": {"output_tokens": -7}}],
        [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}],
    ],
    ids=repr,
)
def test_a_wrong_type_in_an_event_is_a_fault(data: list[dict[str, object]]) -> None:
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}
    assert isinstance(failure("anthropic", Raw(events(*data, end))), ModelFault)


RAW_JSON = {
    "100,000 brackets": b"[" * 100_000 + b"]" * 100_000,
    "NaN": b'{"choices": [], "usage": {"prompt_tokens": NaN}}',
    "Infinity": b'{"choices": [], "usage": {"prompt_tokens": Infinity}}',
    "a number of 5,000 digits": b'{"created": ' + b"9" * 5000 + b"}",
    "no UTF-8": b'{"choices": [{"delta": {"content": "\xff"}}]}',
}


@pytest.mark.parametrize("data", RAW_JSON.values(), ids=RAW_JSON)
def test_json_that_is_none_is_a_fault_on_every_wire(wire: str, data: bytes) -> None:
    ends = {"ollama": data + b"\n", "openai": b"data: " + data + b"\n\n", "anthropic": b"data: " + data + b"\n\n"}
    assert isinstance(failure(wire, Raw((ends[wire],))), ModelFault)


@pytest.mark.parametrize("arguments", ['{"a": NaN}', '{"a": 1e999}', '{"a":' * 100 + "1" + "}" * 100])
def test_arguments_that_cannot_be_passed_on_are_kept_as_text(arguments: str) -> None:
    call = {"index": 0, "id": "c", "function": {"name": "look", "arguments": arguments}}
    with talking("openai", ScriptedServer([Raw(chunks(choice(tool_calls=[call])))])) as model:
        (called,) = model.complete(Request.of("look")).tool_calls
    assert called.arguments == {"_unparsed": arguments}


def test_halves_of_a_character_in_two_pieces_are_heard_as_one(wire: str) -> None:
    pieces = ("a\\ud83d", "\\ude00b", "c\\ud800", "d")
    said = {
        "ollama": [f'{{"message": {{"content": "{piece}"}}, "done": false}}\n' for piece in pieces],
        "openai": [f'data: {{"choices": [{{"delta": {{"content": "{piece}"}}}}]}}\n\n' for piece in pieces],
        "anthropic": [
            f'data: {{"type": "content_block_delta", "index": 0, "delta": {{"type": "text_delta", "text": "{p}"}}}}\n\n'
            for p in pieces
        ],
    }
    begin = {"ollama": (), "openai": (), "anthropic": events(*begun_block())}
    end = {
        "ollama": lines({"message": {"content": ""}, "done": True}),
        "openai": chunks(choice()),
        "anthropic": events({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}),
    }
    stream = (*begin[wire], *(piece.encode() for piece in said[wire]), *end[wire])
    heard: list[str] = []
    with talking(wire, ScriptedServer([Raw(stream)])) as model:
        reply = model.complete(Request.of("hello"), heard.append)
    assert reply.text == "".join(heard) == "a😀bc\ufffdd"


def begun_block() -> tuple[dict[str, object], dict[str, object]]:
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    return started({"input_tokens": 1, "output_tokens": 1}), block


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_a_servers_message_loses_its_escape_sequences_and_its_length(wire: str, status: int) -> None:
    message = str(failure(wire, Fail(status, "\x1b[2J\x1b]0;owned\x07 \u202eyes\n" + "x" * 100_000)))
    assert message.isprintable()
    assert "owned" in message
    assert len(message) < 600


def test_an_error_in_mid_stream_is_cleaned_as_well(wire: str) -> None:
    text = "\x1b[31mred\r\n" + "y" * 10_000
    said = {
        "ollama": lines({"error": text}),
        "openai": chunks({"error": {"message": text}}),
        "anthropic": events({"type": "error", "error": {"type": "api_error", "message": text}}),
    }
    message = str(failure(wire, Raw(said[wire])))
    assert message.isprintable()
    assert "red" in message
    assert len(message) < 600


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("1e308", 86_400.0), ("-5", 0.0), ("nan", None), ("inf", None), ("9" * 400, None), ("soon", None), ("2.5", 2.5)],
)
def test_an_absurd_retry_after_is_bounded(wire: str, header: str, seconds: float | None) -> None:
    reply = b"HTTP/1.1 429 Busy\r\nRetry-After: %b\r\nContent-Length: 0\r\n\r\n" % header.encode()
    error = outcome(wire, RawReply((reply,)), PATIENT)
    assert isinstance(error, ModelBusy)
    assert error.retry_after == seconds


def test_a_storm_of_429_ends(open_desk: OpenDesk, wire: str) -> None:
    with ScriptedServer([Fail(429, retry_after=1)], repeat_last=True) as server:
        desk: Desk = open_desk(server, wire)
        with pytest.raises(ModelBusy):
            desk.complete()
    assert desk.waits == [1.0] * 4


def test_a_listing_with_always_one_more_page_ends() -> None:
    pages: list[str] = []

    def answer(ask: Received) -> Answer:
        pages.append(ask.path)
        body = {"data": [{"id": "m"}], "has_more": True, "last_id": "m"}
        return Answer((json.dumps(body).encode(),))

    loopback = Loopback(answer)
    loopback.start()
    try:
        with opened(config_for("anthropic", f"http://127.0.0.1:{loopback.server_port}")) as model:
            assert set(getattr(model, "available")()) == {"m"}  # noqa: B009 - not every model can tell
    finally:
        loopback.stop()
    assert len(pages) <= 20
