"""Sockets that know the deadline of the call they work for.

Clients time single reads: a server that sends a byte now and then, in its headers or in its body, never runs into
those. Here every read, write, connect and TLS handshake gets what is left of the call's own time.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

import httpcore2
import httpx2

from bottega.models.http.budget import OutOfTime, current_budget
from bottega.settings import is_loopback

_WRITE_BYTES = 16 * 1024
_KEEP_ALIVE = ((socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),)
_SocketOptions = Iterable[Any] | None


def open_client(url: str, *, trust_env: bool | None = None) -> httpx2.Client:
    """A client for the server at `url`; each of its connections obeys the budget of the current call.

    What stays on this machine passes no proxy, unless `trust_env` says so, and needs no certificates for plain HTTP.
    """
    is_local = is_loopback(url)
    uses_environment = not is_local if trust_env is None else trust_env
    is_bare = is_local and not uses_environment and url.startswith("http://")
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_bare else True
    client = httpx2.Client(follow_redirects=False, trust_env=uses_environment, verify=verify)
    for transport in (client._transport, *client._mounts.values()):  # noqa: SLF001 - set up from the environment there
        if isinstance(transport, httpx2.HTTPTransport):
            transport._pool._network_backend = DeadlineBackend()  # noqa: SLF001 - the transport has no option for it
    return client


class DeadlineBackend(httpcore2.NetworkBackend):
    """Opens connections within the time that the current call has left."""

    def __init__(self) -> None:
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: _SocketOptions = None,
    ) -> httpcore2.NetworkStream:
        end = time.monotonic() + _bounded(timeout, httpcore2.ConnectTimeout)
        addresses = _resolve(host, port, end - time.monotonic())
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for tried, address in enumerate(addresses):
            share = max(0.001, (end - time.monotonic()) / (len(addresses) - tried))
            options = (*(socket_options or ()), *_KEEP_ALIVE)
            try:
                return DeadlineStream(self._inner.connect_tcp(address, port, share, local_address, options))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: _SocketOptions = None
    ) -> httpcore2.NetworkStream:
        limit = _bounded(timeout, httpcore2.ConnectTimeout)
        return DeadlineStream(self._inner.connect_unix_socket(path, limit, socket_options))


class DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, _bounded(timeout, httpcore2.ReadTimeout))
        if budget := current_budget():
            budget.count_read(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        view = memoryview(buffer)
        for start in range(0, len(view), _WRITE_BYTES):
            self._inner.write(bytes(view[start : start + _WRITE_BYTES]), _bounded(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        limit = _bounded(timeout, httpcore2.ConnectTimeout)
        return DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, limit))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _bounded(timeout: float | None, expired: type[Exception]) -> float:
    budget = current_budget()
    if budget is None:
        raise RuntimeError("a connection to a server is used inside `call_budget` only")
    try:
        left = budget.remaining()
    except OutOfTime:
        raise expired("the deadline of the call has passed") from None
    return left if timeout is None else min(timeout, left)


def _resolve(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a host. The system's resolver takes no timeout, so that a thread waits for it."""
    try:
        return [str(ip_address(host))]
    except ValueError:
        pass
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()
    threading.Thread(target=_look_up, args=(host, port, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.001, seconds))
    except queue.Empty:
        raise httpcore2.ConnectTimeout(f"the name {host} was not resolved in time") from None
    if isinstance(answer, Exception):
        raise httpcore2.ConnectError(f"the name {host} cannot be resolved") from answer
    return answer


def _look_up(host: str, port: int, answers: queue.SimpleQueue[list[str] | Exception]) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        answers.put(error)
    else:
        answers.put(list(dict.fromkeys(str(entry[4][0]) for entry in found)))
