from __future__ import annotations

from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.models.weights import installed, remove, weights_dir
from bottega.models.weights.cache import partial_file, wheels_dir

from .doubles import CONTENT, weights_of


def test_the_cache_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert weights_dir() == tmp_path / "bottega" / "models"
    assert not weights_dir().exists()


@pytest.mark.parametrize("value", ["", "relative/path"])
def test_a_value_xdg_does_not_allow_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert weights_dir() == tmp_path / ".cache" / "bottega" / "models"


def test_a_file_of_another_size_is_not_installed(tmp_path: Path) -> None:
    weights = weights_of()
    assert installed(weights, into=tmp_path) is None
    (tmp_path / weights.file).write_bytes(CONTENT[:-1])
    assert installed(weights, into=tmp_path) is None
    (tmp_path / weights.file).write_bytes(CONTENT)
    assert installed(weights, into=tmp_path) == tmp_path / weights.file


def test_remove_frees_the_file_and_what_unfinished_pulls_left(tmp_path: Path) -> None:
    weights = weights_of()
    (tmp_path / weights.file).write_bytes(CONTENT)
    partial_file(weights, tmp_path).write_bytes(b"12345")
    wheels_dir(weights, tmp_path).mkdir()
    (wheels_dir(weights, tmp_path) / "a.whl").write_bytes(b"123")
    (tmp_path / "other.gguf").write_bytes(b"stays")
    assert remove(weights, into=tmp_path) == len(CONTENT) + 8
    assert {path.name for path in tmp_path.iterdir()} == {"other.gguf", ".small.gguf.lock"}
    assert remove(weights, into=tmp_path) == 0


def test_remove_makes_no_directory(tmp_path: Path) -> None:
    assert remove(weights_of(), into=tmp_path / "absent") == 0
    assert not (tmp_path / "absent").exists()


def test_a_cache_that_cannot_be_looked_into_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="File name too long"):
        installed(weights_of(), into=tmp_path / ("x" * 300))
