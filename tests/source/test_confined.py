"""Files below a directory are opened one name at a time, so that nothing leads out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.source.confined import OutsideRoot, open_below, read_below


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "root"
    (root / "hall").mkdir(parents=True)
    (root / "hall/door.txt").write_text("a door")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "way").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    return root


def test_a_file_is_read_up_to_a_number_of_bytes(root: Path) -> None:
    data, status = read_below(root, "./hall//door.txt", 3)
    assert (data, status.st_size) == (b"a d", 6)


def test_directories_can_be_opened_and_not_read(root: Path) -> None:
    with open_below(root, "") as handle:
        assert "hall" in os.listdir(handle)  # noqa: PTH208 - by descriptor
    with pytest.raises(OutsideRoot, match="is a directory"):
        read_below(root, "hall", 10)


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "hall/../../secret.txt", "link.txt", "way/secret.txt", "pipe", "a\0b", "gone"],
)
def test_nothing_else_is_opened(root: Path, path: str) -> None:
    with pytest.raises(OutsideRoot):
        read_below(root, path, 10)
