"""Connect to a server in a thread of its own, which a call gives up when its time is over or its run is cancelled.

Neither the system's resolver nor a connect in progress can be interrupted on every platform.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

import httpcore2

from bottega.cancellation import current_cancellation

SocketOptions = Iterable[Any]
LookUp = Callable[[str, int], list[str]]
Connect = Callable[[], httpcore2.NetworkStream]

_SHORTEST_WAIT = 0.001


def look_up_addresses(host: str, port: int) -> list[str]:
    """The addresses of a host, in the resolver's order; an address is its own."""
    try:
        return [str(ip_address(host))]
    except ValueError:
        pass
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(f"the name {host} cannot be resolved") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def connect_within(seconds: float, connect: Connect) -> httpcore2.NetworkStream:
    """What `connect` opens, or `ConnectTimeout`, or `Cancelled`; a connection that comes too late is closed."""
    future: Future[httpcore2.NetworkStream] = Future()

    def abandon() -> None:
        future.cancel()

    try:
        with current_cancellation().interrupting(abandon):
            threading.Thread(target=_fulfil, args=(future, connect), daemon=True).start()
            return future.result(timeout=max(_SHORTEST_WAIT, seconds))
    except TimeoutError:
        if not future.cancel():
            return future.result()
        raise httpcore2.ConnectTimeout("no connection was made in time") from None
    except BaseException:
        _discard(future)
        raise


def connect_to_any(host: str, port: int, end: float, look_up: LookUp, **options: Any) -> httpcore2.NetworkStream:
    """Connect to the first address of the host that answers; each gets an equal share of the time until `end`."""
    addresses = look_up(host, port)
    failure: Exception = httpcore2.ConnectError(f"{host} has no address")
    for tried, address in enumerate(addresses):
        share = max(_SHORTEST_WAIT, (end - time.monotonic()) / (len(addresses) - tried))
        try:
            return httpcore2.SyncBackend().connect_tcp(address, port, share, **options)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
            failure = error
    raise failure


def _fulfil(future: Future[httpcore2.NetworkStream], connect: Connect) -> None:
    try:
        stream = connect()
    except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
        with suppress(InvalidStateError):
            future.set_exception(error)
        return
    try:
        future.set_result(stream)
    except InvalidStateError:
        stream.close()


def _discard(future: Future[httpcore2.NetworkStream]) -> None:
    """Close the connection that nobody waits for, now or when it is made."""
    if not future.cancel() and not future.cancelled() and future.exception() is None:
        future.result().close()
