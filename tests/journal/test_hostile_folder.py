"""A `.bottega` that came with a repository, or that somebody else laid out, leads nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.journal import HISTORY_FIELDS, open_journal

from .entries import sealed_folder


def test_a_link_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o755)
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".bottega").symlink_to(victim)
    with pytest.raises(StorageError, match="symbolic link"):
        open_journal(tmp_path / "repo", environ={})
    assert list(victim.iterdir()) == []
    assert victim.stat().st_mode & 0o777 == 0o755


def test_a_dangling_link_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / ".bottega").symlink_to(tmp_path / "nowhere")
    with pytest.raises(StorageError, match="symbolic link"):
        open_journal(tmp_path, environ={})


@pytest.mark.parametrize("name", [".gitignore", "raw.sqlite"])
def test_a_link_inside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    sealed_folder(tmp_path)
    (tmp_path / ".bottega" / name).unlink(missing_ok=True)
    (tmp_path / ".bottega" / name).symlink_to(tmp_path / "outside")
    with pytest.raises(StorageError, match="symbolic link"):
        open_journal(tmp_path, environ={})
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("linked", ["history", "history/history_000001.jsonl"])
def test_the_history_follows_no_link(tmp_path: Path, linked: str) -> None:
    outside = tmp_path / "outside"
    path = sealed_folder(tmp_path) / linked
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside)
    journal = open_journal(tmp_path, environ={})
    try:
        with pytest.raises(StorageError, match="symbolic link"):
            journal.history.append(dict.fromkeys(HISTORY_FIELDS, ""))
        with pytest.raises(StorageError, match="symbolic link"):
            list(journal.history.newest())
    finally:
        journal.close()
    assert not outside.exists()


def test_the_folder_is_closed_to_others_and_ignores_everything_whatever_it_held(tmp_path: Path) -> None:
    folder = tmp_path / ".bottega"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    (folder / ".gitignore").write_text("!*\n")
    open_journal(tmp_path, environ={}).close()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ".bottega"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    with pytest.raises(StorageError, match="belongs to another user"):
        open_journal(tmp_path, environ={})
