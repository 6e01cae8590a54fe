"""Reading files of a repository that may be hostile."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from bottega.source.files import FileTooLarge, NotARegularFile, read_regular_file

_LIMIT = 1000


def test_a_regular_file_is_read_whole(tmp_path: Path) -> None:
    for content in (b"", b"text", bytes(range(250)) * 4):
        (tmp_path / "file").write_bytes(content)
        assert read_regular_file(tmp_path / "file", limit=_LIMIT) == content
        assert read_regular_file(tmp_path / "file", limit=_LIMIT, below=tmp_path) == content


def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(FileTooLarge, match="larger than 1,000 bytes"):
        read_regular_file(tmp_path / "sparse", limit=_LIMIT)


def test_a_file_that_says_nothing_of_its_size_is_bounded_as_well() -> None:
    file = Path("/proc/self/smaps")  # its size reads 0
    if not file.exists():
        pytest.skip("there is no /proc here")
    with pytest.raises(FileTooLarge):
        read_regular_file(file, limit=_LIMIT)


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-zero").symlink_to("/dev/zero")
    (tmp_path / "to-fifo").symlink_to(tmp_path / "fifo")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "target").write_text("secret")
    (tmp_path / "to-file").symlink_to(tmp_path / "target")
    reasons = {
        "fifo": "is a FIFO",
        "folder": "is a directory",
        "to-zero": "is a symbolic link",
        "to-fifo": "is a symbolic link",
        "dangling": "is a symbolic link",
        "to-file": "is a symbolic link",
    }
    for name, reason in reasons.items():
        for below in (None, tmp_path):
            with pytest.raises(NotARegularFile, match=reason):
                read_regular_file(tmp_path / name, limit=_LIMIT, below=below)


def test_a_device_and_a_socket_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(NotARegularFile, match="is a socket"):
            read_regular_file(tmp_path / "socket", limit=_LIMIT)
    with pytest.raises(NotARegularFile, match="is a device"):
        read_regular_file(Path("/dev/zero"), limit=_LIMIT)


def test_a_missing_file_is_the_systems_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_regular_file(tmp_path / "nothing", limit=_LIMIT)
    with pytest.raises(FileNotFoundError):
        read_regular_file(tmp_path / "no" / "thing", limit=_LIMIT, below=tmp_path)


def test_no_directory_on_the_way_may_lead_out(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (inside / "link").symlink_to(outside)
    with pytest.raises(OSError, match="link"):
        read_regular_file(inside / "link" / "secret", limit=_LIMIT, below=inside)
    with pytest.raises(NotARegularFile, match="leads out"):
        read_regular_file(inside / ".." / "outside" / "secret", limit=_LIMIT, below=inside)


def test_no_handle_stays_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_text("text")
    handles = Path("/proc/self/fd")
    if not handles.exists():
        pytest.skip("there is no /proc here")
    before = len(list(handles.iterdir()))
    for _ in range(50):
        read_regular_file(tmp_path / "a" / "file", limit=_LIMIT, below=tmp_path)
        with pytest.raises(NotARegularFile):
            read_regular_file(tmp_path / "fifo", limit=_LIMIT, below=tmp_path)
        with pytest.raises(OSError, match="nothing"):
            read_regular_file(tmp_path / "a" / "nothing", limit=_LIMIT, below=tmp_path)
    assert len(list(handles.iterdir())) == before


def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotARegularFile, match="no file can have"):
        read_regular_file(tmp_path / "a\0b", limit=_LIMIT)
