from __future__ import annotations

import shutil
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.wire_attack.server import RawReply, RawServer

from bottega.errors import StorageError
from bottega.models.weights import Progress, Pulled, pull
from bottega.models.weights.cache import partial_file

from .doubles import CONTENT, Hub, serving, silent, weights_of

SIZE = len(CONTENT)


def _pull(hub: Hub, into: Path, progress: Callable[[Progress], None] = silent) -> Pulled:
    return pull(weights_of(hub=hub.url), into=into, sources=("hub",), progress=progress)


def _left(hub: Hub, into: Path) -> bytes:
    path = partial_file(weights_of(hub=hub.url), into)
    return path.read_bytes() if path.exists() else b""


def test_the_file_arrives_whole_and_nothing_else_stays(hub: Hub, into: Path) -> None:
    pulled = _pull(hub, into)
    assert pulled.path.read_bytes() == CONTENT
    assert (pulled.source, hub.sent, hub.asked) == ("hub", SIZE, [""])
    assert into.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in into.iterdir()} == {"small.gguf", ".small.gguf.lock"}


def test_progress_grows_to_the_size_and_ends_in_the_check(hub: Hub, into: Path) -> None:
    seen: list[Progress] = []
    _pull(hub, into, seen.append)
    download = [step.done_bytes for step in seen if step.phase == "download"]
    assert download == sorted(download)
    assert download[-1] == SIZE
    assert seen[-1] == Progress("verify", SIZE, SIZE, "hub")


def test_a_second_pull_asks_nobody(hub: Hub, into: Path) -> None:
    _pull(hub, into)
    assert _pull(hub, into).source == "cache"
    assert len(hub.asked) == 1


def test_a_cut_connection_is_taken_up_where_it_broke(hub: Hub, into: Path) -> None:
    hub.cuts = [100_000, 50_000]
    assert _pull(hub, into).path.read_bytes() == CONTENT
    assert hub.asked == ["", "bytes=100000-", "bytes=150000-"]
    assert hub.sent == SIZE


def test_a_line_that_keeps_breaking_leaves_what_came(hub: Hub, into: Path) -> None:
    hub.cuts = [10_000] * 5
    with pytest.raises(StorageError, match="cut 5 times; the partial file is kept"):
        _pull(hub, into)
    assert _left(hub, into) == CONTENT[:50_000]
    assert _pull(hub, into).source == "hub"
    assert hub.sent == SIZE


def test_a_line_that_brings_nothing_is_given_up_at_once(hub: Hub, into: Path) -> None:
    hub.cuts = [0, 0]
    with pytest.raises(StorageError, match=r"hub: 127\.0\.0\.1 broke off"):
        _pull(hub, into)
    assert len(hub.asked) == 1
    assert not partial_file(weights_of(), into).exists()


def test_an_interrupt_leaves_a_pull_that_goes_on(hub: Hub, into: Path) -> None:
    def interrupt(step: Progress) -> None:
        if step.done_bytes > SIZE // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _pull(hub, into, interrupt)
    kept = len(_left(hub, into))
    assert SIZE // 3 < kept < SIZE
    _pull(hub, into)
    assert hub.asked == ["", f"bytes={kept}-"]


def test_a_hub_without_ranges_starts_anew(hub: Hub, into: Path) -> None:
    hub.ranges, hub.cuts = False, [100_000]
    assert _pull(hub, into).path.read_bytes() == CONTENT
    assert hub.sent == 100_000 + SIZE


def test_a_whole_partial_file_needs_no_hub(hub: Hub, into: Path) -> None:
    into.mkdir(parents=True)
    partial_file(weights_of(), into).write_bytes(CONTENT)
    assert _pull(hub, into).path.read_bytes() == CONTENT
    assert hub.asked == []


def test_a_partial_file_longer_than_the_weights_is_dropped(hub: Hub, into: Path) -> None:
    into.mkdir(parents=True)
    partial_file(weights_of(), into).write_bytes(CONTENT * 2)
    assert _pull(hub, into).path.read_bytes() == CONTENT
    assert hub.asked == [""]


def test_wrong_content_is_deleted_and_both_hashes_are_said(hub: Hub, into: Path) -> None:
    weights = weights_of(hub=hub.url)
    hub.content = bytes(reversed(CONTENT))
    with pytest.raises(StorageError) as caught:
        pull(weights, into=into, sources=("hub",), progress=silent)
    assert weights.sha256 in str(caught.value)
    assert weights_of(hub.content).sha256 in str(caught.value)
    assert [path.name for path in into.iterdir()] == [".small.gguf.lock"]


def test_a_file_of_another_length_is_refused_before_it_is_read(hub: Hub, into: Path) -> None:
    hub.content = CONTENT + b"more"
    with pytest.raises(StorageError, match=f"it offers {SIZE + 4:,} bytes where {SIZE:,} are expected"):
        _pull(hub, into)
    assert not partial_file(weights_of(), into).exists()


@pytest.mark.parametrize(("content", "reason"), [(CONTENT * 2, "it sent more than"), (b"<html>", "wrong content")])
def test_wrong_content_of_unknown_length_is_not_kept(hub: Hub, into: Path, content: bytes, reason: str) -> None:
    hub.content, hub.states_length = content, False
    with pytest.raises(StorageError, match=reason):
        _pull(hub, into)
    assert not partial_file(weights_of(), into).exists()


def test_a_refusal_is_said_with_its_number_and_keeps_what_came(hub: Hub, into: Path) -> None:
    into.mkdir(parents=True)
    partial_file(weights_of(), into).write_bytes(CONTENT[:1000])
    hub.status = 404
    with pytest.raises(StorageError, match=r"hub: 127\.0\.0\.1 answered 404 Not Found") as caught:
        _pull(hub, into)
    assert "--from FILE" in caught.value.hint
    assert _left(hub, into) == CONTENT[:1000]


def test_a_hub_that_is_not_there_is_said_quickly(into: Path) -> None:
    with pytest.raises(StorageError, match=r"hub: 127\.0\.0\.1 could not be reached: .*refused"):
        _pull(Hub(url="http://127.0.0.1:9/"), into)


def test_a_redirect_away_from_https_is_refused(hub: Hub, into: Path) -> None:
    hub.redirect = hub.url
    with pytest.raises(StorageError, match=r"redirects to http://127\.0\.0\.1, which is not https"):
        _pull(hub, into)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_redirect_to_https_is_followed_and_keeps_the_range(
    hub: Hub, into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(cuts=[100_000]), tls=_trusted(tmp_path, monkeypatch)) as store:
        hub.redirect = store.url
        assert _pull(hub, into).path.read_bytes() == CONTENT
    assert store.asked == ["", "bytes=100000-"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_endless_redirects_end(into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Hub(), tls=_trusted(tmp_path, monkeypatch)) as store:
        store.redirect = store.url
        with pytest.raises(StorageError, match="redirects more than 5 times"):
            _pull(store, into)


def test_certificates_that_cannot_be_loaded_are_said(
    hub: Hub, into: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    with pytest.raises(StorageError, match="hub: no connection can be set up"):
        _pull(hub, into)


TRICKLES = {
    "headers": RawReply((b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), pace=0.02, is_endless=True),
    "content": RawReply((b"HTTP/1.1 200 OK\r\n\r\n", b"G"), pace=0.02, is_endless=True),
    "interim responses": RawReply((b"HTTP/1.1 100 Continue\r\n\r\n",), pace=0.02, is_endless=True),
    "chunk sizes": RawReply((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"), 0.02, is_endless=True),
    "silence": RawReply((b"",), is_held=True),
}


@pytest.mark.parametrize("trickle", TRICKLES.values(), ids=TRICKLES)
def test_a_download_that_trickles_is_given_up(into: Path, trickle: RawReply) -> None:
    with RawServer() as server:
        server.reply = trickle
        started = time.monotonic()
        with pytest.raises(StorageError, match="hub: "):
            pull(weights_of(hub=server.url), into=into, sources=("hub",), progress=silent, stall_seconds=0.3)
        assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"206 Part\r\nContent-Range: bytes " + b"9" * 5000 + b"-", "not a number of bytes"),
        (b"200 OK\r\nContent-Encoding: gzip", "it was asked not to"),
        (b"200 OK\r\n" + b"X: y\r\n" * 40_000, "headers are too large|broke off"),
    ],
    ids=["range", "compressed", "headers"],
)
def test_headers_that_cannot_be_are_refused(into: Path, head: bytes, reason: str) -> None:
    with RawServer() as server:
        server.reply = RawReply((b"HTTP/1.1 " + head + b"\r\n\r\n" + CONTENT,))
        with pytest.raises(StorageError, match=reason):
            pull(weights_of(hub=server.url), into=into, sources=("hub",), progress=silent)


def _trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that clients of this process trust."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run(["openssl", "req", "-x509", *curve, *subject, *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
