"""HTTP on 127.0.0.1: requests in, answers out, and no socket left behind."""

from __future__ import annotations

import json
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from bottega.testing.answer import Answer
from bottega.testing.wire import Received

POLL = 0.02
PATIENCE = 5.0


class Loopback(ThreadingHTTPServer):
    """`faults` collects what went wrong on this side of the wire; a client that leaves is no fault."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Callable[[Received], Answer]) -> None:
        self.answer = answer
        self.leaving = threading.Event()
        self.faults: list[BaseException] = []
        self._open: set[socket.socket] = set()
        self._closed_one = threading.Condition()
        super().__init__(("127.0.0.1", 0), _Exchange)
        self._loop = threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True)

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        """Hang up on every client, and return when the last socket is closed."""
        self.leaving.set()
        self.shutdown()
        self._loop.join()
        self.server_close()
        with self._closed_one:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            if not self._closed_one.wait_for(lambda: not self._open, timeout=PATIENCE):
                raise RuntimeError(f"{len(self._open)} scripted replies are still being prepared")

    def server_bind(self) -> None:
        # HTTPServer would ask the resolver for the name of 127.0.0.1, which takes seconds on some machines.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.socket.getsockname()[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._closed_one:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._closed_one:
            self._open.discard(request)
            self._closed_one.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        fault = sys.exception()
        if fault is None or isinstance(fault, ConnectionError):
            return
        self.faults.append(fault)
        super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Loopback

    def do_GET(self) -> None:
        self._send(self.server.answer(self._received(b"{}")))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            received = self._received(body)
        except ValueError:
            self.send_error(400, "the body is not JSON")
        else:
            self._send(self.server.answer(received))

    def _received(self, body: bytes) -> Received:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Received(unquote(self.path.partition("?")[0]), headers, json.loads(body), time.monotonic())

    def _send(self, answer: Answer) -> None:
        if not self._is_awaited(answer.wait):
            self.close_connection = True
            return
        self._send_head(answer)
        for part in filter(None, answer.parts):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if answer.is_streamed else part)
            if not self._is_awaited(answer.pace):
                self.close_connection = True
                return
        self._send_end(answer)

    def _send_head(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        framing = ("Transfer-Encoding", "chunked") if answer.is_streamed else ("Content-Length", str(answer.length))
        for name, value in (framing, *answer.headers):
            self.send_header(name, value)
        self.end_headers()

    def _send_end(self, answer: Answer) -> None:
        if answer.missing:
            self.close_connection = True
        elif answer.is_streamed:
            self.wfile.write(b"0\r\n\r\n")

    def _is_awaited(self, seconds: float) -> bool:
        """Wait that long, unless the server or the client leaves first."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.server.leaving.wait(min(left, POLL)) or self._is_alone():
                return False
        return True

    def _is_alone(self) -> bool:
        try:
            peeked: bytes = self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        return not peeked

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class names it so
        """Tests read `requests`, not a log."""
