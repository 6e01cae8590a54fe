"""A server that sends exactly the bytes it was given, however wrong they are."""

from __future__ import annotations

import select
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_HEAD_LIMIT = 1 << 20
_SEND_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class RawReply:
    """What goes out on the socket for one request.

    `pace` is the pause before each part. With `is_endless` the last part is sent again until the client leaves; with
    `is_held` the connection stays open in silence after the last part.
    """

    parts: tuple[bytes, ...]
    pace: float = 0.0
    is_endless: bool = False
    is_held: bool = False


class RawServer:
    """Answers every request on loopback with the current `reply`, inside a `with` block."""

    def __init__(self) -> None:
        self.reply = RawReply((b"HTTP/1.1 500 Nothing\r\nContent-Length: 0\r\n\r\n",))
        self._leaving = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def _accept(self) -> None:
        while not self._leaving.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(_SEND_SECONDS)
            if _read_request(connection):
                self._send(connection, self.reply)

    def _send(self, connection: socket.socket, reply: RawReply) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in reply.parts:
            if not self._pause(connection, reply.pace):
                return
            connection.sendall(part)
        while reply.is_endless and self._pause(connection, reply.pace):
            connection.sendall(reply.parts[-1])
        end = time.monotonic() + _SEND_SECONDS
        while reply.is_held and time.monotonic() < end and self._pause(connection, 0.05):
            pass

    def _pause(self, connection: socket.socket, seconds: float) -> bool:
        """Whether the client is still there afterwards."""
        if self._leaving.wait(seconds) if seconds else self._leaving.is_set():
            return False
        readable, _, _ = select.select([connection], [], [], 0)
        return not readable or bool(connection.recv(1, socket.MSG_PEEK))


def _read_request(connection: socket.socket) -> bool:
    head = bytearray()
    while b"\r\n\r\n" not in head:
        read = connection.recv(65536)
        if not read or len(head) > _HEAD_LIMIT:
            return False
        head += read
    headers, _, body = bytes(head).partition(b"\r\n\r\n")
    lengths = [line for line in headers.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = (int(lengths[0].partition(b":")[2]) if lengths else 0) - len(body)
    while missing > 0 and (read := connection.recv(65536)):
        missing -= len(read)
    return True
