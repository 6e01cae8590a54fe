"""Sockets that know the deadline and the cancellation token of the call they work for.

Clients time single reads: a server that sends a byte now and then, in its headers or in its body, never runs into
those. Here every read, write, connect and TLS handshake gets what is left of the call's own time, and ends at once when
the call's run is cancelled.
"""

from __future__ import annotations

import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import httpcore2
import httpx2

from bottega.cancellation import current_cancellation
from bottega.models.http.budget import OutOfTime, current_budget
from bottega.models.http.connect import LookUp, SocketOptions, connect_to_any, connect_within, look_up_addresses
from bottega.settings import is_loopback

_WRITE_BYTES = 16 * 1024
_KEEP_ALIVE = ((socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),)
_NO_LIMIT = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
"""Callers limit their calls per server; a wait inside the connection pool could not be cancelled."""


def open_client(url: str, *, trust_env: bool | None = None) -> httpx2.Client:
    """A client for the server at `url`; each of its connections obeys the budget of the current call.

    A connection to this machine uses no proxy unless `trust_env` is set, and plain HTTP loads no certificates.
    """
    is_local = is_loopback(url)
    uses_environment = not is_local if trust_env is None else trust_env
    is_bare = is_local and not uses_environment and url.startswith("http://")
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_bare else True
    client = httpx2.Client(follow_redirects=False, trust_env=uses_environment, verify=verify, limits=_NO_LIMIT)
    for transport in (client._transport, *client._mounts.values()):  # noqa: SLF001 - set up from the environment there
        if isinstance(transport, httpx2.HTTPTransport):
            transport._pool._network_backend = DeadlineBackend()  # noqa: SLF001 - the transport has no option for it
    return client


class DeadlineBackend(httpcore2.NetworkBackend):
    """Opens connections within the time that the current call has left."""

    def __init__(self, look_up: LookUp = look_up_addresses) -> None:
        self._look_up = look_up

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore2.NetworkStream:
        seconds = _bounded(timeout, httpcore2.ConnectTimeout)
        end = time.monotonic() + seconds
        options = {"local_address": local_address, "socket_options": (*(socket_options or ()), *_KEEP_ALIVE)}
        connect = partial(connect_to_any, host, port, end, self._look_up, **options)
        return DeadlineStream(connect_within(seconds, connect))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: SocketOptions | None = None
    ) -> httpcore2.NetworkStream:
        seconds = _bounded(timeout, httpcore2.ConnectTimeout)
        connect = partial(httpcore2.SyncBackend().connect_unix_socket, path, seconds, socket_options)
        return DeadlineStream(connect_within(seconds, connect))


class DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        limit = _bounded(timeout, httpcore2.ReadTimeout)
        with _shut_down_on_cancel(self._socket):
            data = self._inner.read(max_bytes, limit)
        current_cancellation().check()  # a read of a connection that was shut down returns b"", the sign of its end
        if budget := current_budget():
            budget.count_read(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        view = memoryview(buffer)
        for start in range(0, len(view), _WRITE_BYTES):
            limit = _bounded(timeout, httpcore2.WriteTimeout)
            with _shut_down_on_cancel(self._socket):
                self._inner.write(bytes(view[start : start + _WRITE_BYTES]), limit)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            limit = _bounded(timeout, httpcore2.ConnectTimeout)
            with _duplicate(self._socket) as duplicate, _shut_down_on_cancel(duplicate):
                return DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, limit))
        except BaseException:
            self.close()  # the pool knows a connection only when its handshake is over
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    @property
    def _socket(self) -> socket.socket:
        connection: socket.socket = self._inner.get_extra_info("socket")
        return connection


@contextmanager
def _shut_down_on_cancel(connection: socket.socket) -> Iterator[None]:
    """Shut the connection down if the run is cancelled while the block waits for it.

    A cancel may come when the block is over; by then the connection may serve another call, so it is left alone.
    """
    lock = threading.Lock()
    is_over = False

    def shut_down() -> None:
        with lock, suppress(OSError):
            if not is_over:
                # Not the method of `SSLSocket`, which also drops the TLS state that the reading thread uses.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    try:
        with current_cancellation().interrupting(shut_down):
            yield
    finally:
        with lock:
            is_over = True


@contextmanager
def _duplicate(connection: socket.socket) -> Iterator[socket.socket]:
    """A second handle of the connection: the first one is taken over by TLS before the handshake ends."""
    with socket.socket(fileno=os.dup(connection.fileno())) as duplicate:
        yield duplicate


def _bounded(timeout: float | None, expired: type[Exception]) -> float:
    budget = current_budget()
    if budget is None:
        raise RuntimeError("a connection to a server is used inside `call_budget` only")
    try:
        left = budget.remaining()
    except OutOfTime:
        raise expired("the deadline of the call has passed") from None
    return left if timeout is None else min(timeout, left)
