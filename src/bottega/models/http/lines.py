"""Parse lines and server-sent events from chunks of bytes, in linear time and bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bottega.models.http.limits import EVENT_BYTES


class EventTooLarge(Exception):
    """One line or event of a stream exceeds `EVENT_BYTES`."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """`name` is "" where the server gives none."""

    name: str
    data: bytes


def read_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their line ends, an unfinished last one included."""
    pending = bytearray()
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        pending += first
        _refuse_large(len(pending))
        for line in others:
            yield bytes(pending).removesuffix(b"\r")
            pending = bytearray(line)
    if pending:
        yield bytes(pending).removesuffix(b"\r")


def read_events(chunks: Iterable[bytes]) -> Iterator[ServerEvent]:
    """Events that carry data, by the rules of server-sent events; comments and unknown fields are dropped."""
    name, size = "", 0
    data: list[bytes] = []
    for line in read_lines(chunks):
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            if data:
                yield ServerEvent(name, b"\n".join(data))
            name, data, size = "", [], 0
        elif field == b"data":
            data.append(value)
            size += len(value) + 1
            _refuse_large(size)
        elif field == b"event":
            name = value[:64].decode("utf-8", "replace")


def _refuse_large(size: int) -> None:
    if size > EVENT_BYTES:
        raise EventTooLarge
