"""The worker's side of a pool: messages on standard input, answers on standard output, each with its length first."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable

LENGTH = struct.Struct("<I")


def serve(answer: Callable[[bytes], bytes]) -> None:
    """Answer messages from standard input until it ends: the whole life of a worker."""
    while (message := receive_message()) is not None:
        body = answer(message)
        sys.stdout.buffer.write(LENGTH.pack(len(body)))
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()


def receive_message() -> bytes | None:
    """The next message for this worker; `None` when there are no more."""
    head = sys.stdin.buffer.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    body = sys.stdin.buffer.read(size)
    return body if len(body) == size else None


def frame(message: bytes) -> bytes:
    return LENGTH.pack(len(message)) + message
