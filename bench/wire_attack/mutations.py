"""A seeded generator of hostile replies: valid streams of each wire, and everything that can be wrong with them."""

from __future__ import annotations

import gzip
import json
import random
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from bench.wire_attack.server import RawReply

from bottega.testing import Received, Say, ToolCall, Wire
from bottega.testing.server import ANTHROPIC, OLLAMA, OPENAI

WIRES: dict[str, tuple[Wire, str]] = {
    "ollama": (OLLAMA, "/api/chat"),
    "openai": (OPENAI, "/v1/chat/completions"),
    "anthropic": (ANTHROPIC, "/v1/messages"),
}
PATIENT, HASTY = 4.0, 0.4
_SAID = (
    Say("Four.\n", thinking="two and two", prompt_tokens=11, completion_tokens=3),
    Say("", tool_calls=(ToolCall("look", {"path": "a.py", "lines": [1, 2]}), ToolCall("stop", {}))),
    Say("A longer reply with ünïcode and 😀, a \x1b[31mcolour\x1b[0m and an end.", finish="length"),
)
_DEEP = "[" * 100_000 + "]" * 100_000
_VALUES = (
    "null", "true", "false", "0", "-1", "7", "1e308", "1e999", "-0.5", "1" + "0" * 30, "9" * 5000, "NaN", "Infinity",
    '"many"', '""', "[]", "{}", '["x"]', '{"a": 1}', "[[]]", '"\\ud800"', '"\\udc00 \\ud83d"', '"\\u0000\\u001b[2J"',
    '"' + "x" * 70_000 + '"', _DEEP, '{"a":' * 3000 + "1" + "}" * 3000, "[null, 1, {}]", '{"index": -1, "index": 1}',
)  # fmt: skip
Path = tuple[str | int, ...]
_PLACE = "\ufdd0place\ufdd0"


@dataclass(frozen=True, slots=True)
class Trial:
    """One hostile reply, the wire it is meant for, and the time its call has."""

    wire: str
    kind: str
    reply: RawReply
    seconds: float = PATIENT
    question: str = "complete"


def recorded_streams(wire: str) -> list[list[bytes]]:
    """Valid streams of a wire, as lists of events."""
    spoken, path = WIRES[wire]
    body = {"model": "m", "stream": True, "stream_options": {"include_usage": True}, "messages": []}
    ask = Received(path, {}, body, time.monotonic())
    streams = [spoken.stream(said.spoken(ask), ask) for said in _SAID]
    return [[*stream.words, *stream.end] for stream in streams]


def generate_trials(seed: int, count: int) -> Iterator[Trial]:
    """`count` trials, the same for the same seed: every wire and every kind of mutation in turn."""
    chance = random.Random(seed)
    kinds = list(MUTATIONS)
    for number in range(count):
        wire = tuple(WIRES)[number % len(WIRES)]
        kind = kinds[number // len(WIRES) % len(kinds)]
        events = chance.choice(recorded_streams(wire))
        yield MUTATIONS[kind](wire, kind, events, chance)


Mutation = Callable[[str, str, list[bytes], random.Random], Trial]
MUTATIONS: dict[str, Mutation] = {}


def _mutation(function: Mutation) -> Mutation:
    MUTATIONS[function.__name__.removeprefix("_").replace("_", " ")] = function
    return function


def _head(wire: str, *, status: str = "200 OK", framing: str = "Transfer-Encoding: chunked", more: str = "") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {WIRES[wire][0].stream_type}", framing, more, "Connection: close"]
    return "\r\n".join([line for line in lines if line] + ["", ""]).encode()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


def _stream(wire: str, events: list[bytes], **head: str) -> RawReply:
    return RawReply((_head(wire, **head) + b"".join(map(_chunk, events)) + b"0\r\n\r\n",))


def _with_length(wire: str, body: bytes, status: str = "200 OK", more: str = "") -> RawReply:
    return RawReply((_head(wire, status=status, framing=f"Content-Length: {len(body)}", more=more) + body,))


@_mutation
def _flipped_bytes(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    body = bytearray(b"".join(events))
    for _ in range(chance.choice((1, 3, 20))):
        body[chance.randrange(len(body))] = chance.randrange(256)
    return Trial(wire, kind, _stream(wire, [bytes(body)]))


@_mutation
def _truncated(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    body = b"".join(events)[: chance.randrange(len(b"".join(events)))]
    if chance.random() < 0.5:
        return Trial(wire, kind, _stream(wire, [body]))
    return Trial(wire, kind, RawReply((_head(wire) + _chunk(body),)))


@_mutation
def _events_moved(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    moved = list(events)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(moved))
        action = chance.choice(("drop", "double", "swap"))
        if action == "drop" and len(moved) > 1:
            del moved[at]
        elif action == "double":
            moved.insert(chance.randrange(len(moved)), moved[at])
        else:
            other = chance.randrange(len(moved))
            moved[at], moved[other] = moved[other], moved[at]
    return Trial(wire, kind, _stream(wire, moved))


@_mutation
def _swapped_type(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    """Another value at a random path of a random event."""
    at = chance.choice([number for number, event in enumerate(events) if b"{" in event])
    paths = list(_paths(_content(events[at])))
    changed = [*events[:at], replace_value(events[at], chance.choice(paths), chance.choice(_VALUES)), *events[at + 1 :]]
    return Trial(wire, kind, _stream(wire, changed))


def swapped_everywhere(wire: str, values: int = 3) -> Iterator[Trial]:
    """Every path of every kind of event, each with the next `values` of the hostile values."""
    hostile = cycle(_VALUES)
    for events, at, path in _distinct_paths(wire):
        for raw in islice(hostile, values):
            changed = [*events[:at], replace_value(events[at], path, raw), *events[at + 1 :]]
            yield Trial(wire, "type at every path", _stream(wire, changed))


def _distinct_paths(wire: str) -> Iterator[tuple[list[bytes], int, Path]]:
    """Streams, events and paths, of events of the same shape only the first."""
    seen: set[str] = set()
    for number, events in enumerate(recorded_streams(wire)):
        for at, event in enumerate(events):
            for path in _paths(_content(event)) if b"{" in event else ():
                shape = f"{number} {sorted(_content(event))} {path}"
                if shape not in seen:
                    seen.add(shape)
                    yield events, at, path


def _content(event: bytes) -> Any:
    return json.loads(event[event.index(b"{") :])


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from _paths(below, (*path, key))


def replace_value(event: bytes, path: Path, raw: str) -> bytes:
    """The event with the JSON text `raw` in the place of what stands at `path`."""
    start = event.index(b"{")
    content = _content(event)
    if not path:
        return event[:start] + raw.encode() + b"\n\n"
    table = content
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = _PLACE
    text = json.dumps(content, ensure_ascii=False).replace(json.dumps(_PLACE, ensure_ascii=False), raw)
    return event[:start] + text.encode("utf-8", "surrogatepass") + b"\n\n"


@_mutation
def _doubled_key(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    at = chance.choice([number for number, event in enumerate(events) if b"{" in event])
    name = chance.choice(("choices", "message", "usage", "type", "done", "delta", "error", "index"))
    extra = f'{{"{name}": {chance.choice(_VALUES[:24])}, '.encode()
    return Trial(wire, kind, _stream(wire, [*events[:at], events[at].replace(b"{", extra, 1), *events[at + 1 :]]))


@_mutation
def _wrong_status(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    status = chance.choice((100, 101, 199, 204, 205, 206, 226, 300, 301, 304, 307, 400, 401, 403, 404, 408, 413, 418))
    status = chance.choice((status, 429, 451, 500, 503, 529, 599, 600, 999))
    retry = chance.choice(("", "1e308", "-5", "nan", "inf", "9" * 400, "soon", "Wed, 21 Oct 2015 07:28:00 GMT"))
    more = "Location: http://127.0.0.1:1/" if 300 <= status < 400 else f"Retry-After: {retry}"
    body = chance.choice(
        (b"", b"".join(events), b'{"error": 7}', b'{"error": {"message": ["\\u001b[2J"]}}', b"\xff" * 9)
    )
    return Trial(wire, kind, _with_length(wire, body, f"{status} Odd", more), HASTY if status < 200 else PATIENT)


@_mutation
def _error_with_escapes(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:  # noqa: ARG001
    text = chance.choice(("\x1b[2J\x1b]0;owned\x07", "\u202eabc", "line\nline\r\x00", "x" * 100_000, "\ud800"))
    shape = chance.choice(({"error": text}, {"error": {"message": text, "type": text}}, {"message": text}))
    return Trial(wire, kind, _with_length(wire, json.dumps(shape).encode(), f"{chance.choice((400, 401, 404, 500))} X"))


@_mutation
def _wrong_content_type(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    kinds = ("text/html", "application/json", "image/png; charset=utf-7", "", "text/event-stream; charset=utf-16")
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {chance.choice(kinds)}\r\n".encode()
    body = chance.choice((b"".join(events), b"<html>", b"\x89PNG" * 50, "données".encode("utf-16")))
    return Trial(wire, kind, RawReply((head + b"Content-Length: %d\r\n\r\n" % len(body) + body,)))


@_mutation
def _broken_chunks(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    body = b"".join(events)
    faults = (
        b"zz\r\n" + body,
        b"-5\r\n" + body,
        b"ffffffffffffffffffff\r\n" + body,
        b"7fffffffffffffff\r\n" + body,
        b"%x\r\n%b" % (len(body) - 3, body),
        b"%x;%b\r\n%b\r\n0\r\n\r\n" % (len(body), b"e" * 200_000, body),
        b"%x\n%b\n0\n\n" % (len(body), body),
        b"".join(_chunk(body[at : at + 1]) for at in range(len(body))) + b"0\r\n\r\n",
        _chunk(body) + b"0\r\n" + b"".join(b"T%d: x\r\n" % number for number in range(20_000)),
    )
    return Trial(wire, kind, RawReply((_head(wire) + chance.choice(faults),)), HASTY)


@_mutation
def _broken_framing(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    body = b"".join(events)
    heads = (
        f"Content-Length: {len(body) + 50}",
        f"Content-Length: {len(body) // 2}",
        "Content-Length: -1",
        "Content-Length: many",
        "Content-Length: " + "9" * 50,
        f"Content-Length: {len(body)}\r\nTransfer-Encoding: chunked",
        f"Content-Length: 1\r\nContent-Length: {len(body)}",
        "Transfer-Encoding: gzip, chunked",
        "X-None: 1",
    )
    return Trial(wire, kind, RawReply((_head(wire, framing=chance.choice(heads)) + body,)), HASTY)


@_mutation
def _broken_headers(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    body = b"Content-Length: 2\r\n\r\n{}"
    heads: tuple[tuple[bytes, ...], ...] = (
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 300_000 + b"\r\n" + body,),
        (b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9000)) + body,),
        (b"HTTP/1.1 200 OK\r\nX: \0\x1b\r\n" + body,),
        (b"HTTP/9.9 2e2 OK\r\n" + body,),
        (b"".join(events),),
        (b"\x16\x03\x01\x02\x00" * 100,),
        (b"HTTP/1.1 200 OK\n\n",),
        (b"",),
        (b"HTTP/1.1 200 " + b"r" * 300_000,),
    )
    return Trial(wire, kind, RawReply(chance.choice(heads)), HASTY)


@_mutation
def _compressed(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    coding = chance.choice(("gzip", "deflate", "br", "zstd", "gzip, gzip", "x-unknown"))
    bomb = bytes(20_000_000) if chance.random() < 0.2 else b"".join(events)
    body = gzip.compress(bomb, 1, mtime=0) if "gzip" in coding else zlib.compress(bomb, 1)
    status = chance.choice(("200 OK", "200 OK", "500 Broken"))
    return Trial(wire, kind, _with_length(wire, body, status, f"Content-Encoding: {coding}"))


@_mutation
def _trickle(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    """Something now and then, so that no single read ever times out."""
    whole = _stream(wire, events).parts[0]
    head = _head(wire)
    pieces = (
        RawReply(tuple(whole[at : at + 1] for at in range(len(whole))), pace=0.02),
        RawReply((head, _chunk(b" ")), pace=0.05, is_endless=True),
        RawReply((head, _chunk(b": alive\n\n")), pace=0.05, is_endless=True),
        RawReply((head, _chunk(b"\n")), pace=0.02, is_endless=True),
        RawReply((head, b"0"), pace=0.02, is_endless=True),
        RawReply((b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), pace=0.02, is_endless=True),
        RawReply((b"HTTP/1.1 100 Continue\r\n\r\n",), pace=0.02, is_endless=True),
        RawReply((_head(wire, status="500 Broken"), _chunk(b"x")), pace=0.02, is_endless=True),
        RawReply((head, *map(_chunk, events[:1])), pace=0.01, is_endless=True),
    )
    return Trial(wire, kind, chance.choice(pieces), HASTY)


@_mutation
def _silence(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    begun = (
        b"",
        b"HTTP/1.1 200",
        _head(wire),
        _head(wire) + _chunk(events[0]),
        _stream(wire, events[:-1]).parts[0][:-5],
    )
    return Trial(wire, kind, RawReply((chance.choice(begun),), is_held=True), HASTY)


@_mutation
def _flood(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    """As much as the connection carries, without end."""
    head = _head(wire)
    floods = (
        (head, _chunk(b"x" * 65_000)),
        (head, _chunk(b": comment\n" * 6500)),
        (head, _chunk(b"\n" * 65_000)),
        (head, _chunk(b" " * 65_000)),
        (head, _chunk(b"data: \n" * 9000)),
        (head, _chunk(events[0] * 200)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 2000,),
        (_head(wire, status="500 Broken"), _chunk(b"x" * 65_000)),
        (_head(wire, framing="X-None: 1"), b'{"data": [' + b"[]," * 20_000),
    )
    question = chance.choice(("complete", "complete", "available", "context_length"))
    return Trial(wire, kind, RawReply(chance.choice(floods), is_endless=True), 2.0, question)


@_mutation
def _large_event(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:
    at = chance.choice([number for number, event in enumerate(events) if b"{" in event])
    raw = chance.choice(("[" + "[]," * 1_200_000 + "[]]", '"' + "x" * 6_000_000 + '"', '"' + "\\u0000" * 600_000 + '"'))
    changed = replace_value(events[at], chance.choice(list(_paths(_content(events[at])))), raw)
    return Trial(wire, kind, _stream(wire, [*events[:at], changed, *events[at + 1 :]]))


@_mutation
def _listing(wire: str, kind: str, events: list[bytes], chance: random.Random) -> Trial:  # noqa: ARG001
    """What is asked besides replies: names of models, and the window of one."""
    value = chance.choice(_VALUES)
    bodies = (
        f'{{"data": [{{"id": {value}, "max_model_len": {value}}}], "models": [{{"model": {value}}}]}}',
        f'{{"data": {value}, "models": {value}, "model_info": {value}}}',
        f'{{"model_info": {{"x.context_length": {value}}}, "max_input_tokens": {value}}}',
        '{"data": [{"id": "m"}], "has_more": true, "last_id": "m"}',
        f'{{"data": [{{"id": "m", "meta": {value}, "context_length": {value}}}], "has_more": {value}}}',
        value,
    )
    body = chance.choice(bodies).encode("utf-8", "surrogatepass")
    return Trial(wire, kind, _with_length(wire, body), PATIENT, chance.choice(("available", "context_length")))
