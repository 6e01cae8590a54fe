"""`.bottega` is this machine's own: one that came from elsewhere is set aside unread."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.home import find_home, find_root, is_sealed, list_aside_folders, seal_of, take_back
from bottega.journal import open_journal
from tests.journal.entries import begin, sealed_folder


def test_a_folder_that_came_with_a_repository_is_set_aside_unread(tmp_path: Path) -> None:
    victim, clone = tmp_path / "victim", tmp_path / "clone"
    run_id = _record(victim)
    shutil.copytree(victim / ".bottega", clone / ".bottega")
    said: list[str] = []
    folder = find_home(clone, said.append)
    assert folder == clone / ".bottega"
    assert is_sealed(folder)
    assert len(said) == 1
    assert "did not come from this machine" in said[0]
    [aside] = list_aside_folders(folder)
    assert (aside / "raw.sqlite").is_file()
    journal = open_journal(clone, environ={})
    assert not journal.runs.exists(run_id)
    journal.close()


def test_one_without_a_seal_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / ".bottega" / "pipelines").mkdir(parents=True)
    (tmp_path / ".bottega" / "pipelines" / "evil.yaml").write_text("x")
    find_home(tmp_path)
    assert not (tmp_path / ".bottega" / "pipelines").exists()
    assert is_sealed(tmp_path / ".bottega")


@pytest.mark.parametrize(
    "forged",
    [
        "{",
        "[]",
        '{"identity": "x", "path": "PATH", "inode": INODE, "signature": "00"}',
        '{"identity": "x", "path": "PATH", "inode": INODE, "signature": ""}',
        '{"identity": "x", "path": "PATH", "inode": "a", "signature": 7}',
        "[" * 50_000,
    ],
)
def test_a_forged_seal_is_none(tmp_path: Path, forged: str) -> None:
    folder = sealed_folder(tmp_path)
    (folder / "raw.sqlite").write_text("planted")
    text = forged.replace("PATH", str(folder)).replace("INODE", str(folder.stat().st_ino))
    (folder / "seal.json").write_text(text)
    assert not is_sealed(folder)
    with pytest.raises(StorageError, match="has no seal"):
        seal_of(folder)
    find_home(tmp_path)
    assert not (folder / "raw.sqlite").exists()


def test_a_directory_that_was_moved_keeps_its_records(tmp_path: Path) -> None:
    run_id = _record(tmp_path / "before")
    (tmp_path / "before").rename(tmp_path / "after")
    journal = open_journal(tmp_path / "after", environ={})
    assert journal.runs.exists(run_id)
    journal.close()


def test_a_copy_somewhere_else_does_not_count_but_can_be_taken_back(tmp_path: Path) -> None:
    run_id = _record(tmp_path / "before")
    shutil.copytree(tmp_path / "before", tmp_path / "copy")
    folder = find_home(tmp_path / "copy")
    [aside] = list_aside_folders(folder)
    take_back(folder, aside)
    journal = open_journal(tmp_path / "copy", environ={})
    assert journal.runs.exists(run_id)
    journal.close()


def test_another_key_is_another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _record(tmp_path / "repo")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert not is_sealed(tmp_path / "repo" / ".bottega")


def test_what_stores_bear_is_worth_nothing_in_another_directory(tmp_path: Path) -> None:
    assert seal_of(sealed_folder(tmp_path / "a")) != seal_of(sealed_folder(tmp_path / "b"))


def test_files_that_git_tracks_are_never_read(tmp_path: Path) -> None:
    """Also when they arrive by a pull into a directory that is sealed."""
    root = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    run_id = _record(root)
    subprocess.run(["git", "-C", str(root), "add", "-f", ".bottega/raw.sqlite"], check=True)
    said: list[str] = []
    folder = find_home(root, said.append)
    assert not folder.is_relative_to(root)
    assert "git tracks files" in said[0]
    journal = open_journal(root, environ={})
    assert not journal.runs.exists(run_id)
    journal.close()
    subprocess.run(["git", "-C", str(root), "rm", "-q", "--cached", ".bottega/raw.sqlite"], check=True)
    assert find_home(root) == root / ".bottega"


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
        "CREATE VIEW v AS SELECT * FROM runs",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
    ],
)
def test_a_database_that_brings_programs_is_refused(tmp_path: Path, planted: str) -> None:
    _record(tmp_path)
    database = sqlite3.connect(tmp_path / ".bottega" / "raw.sqlite")
    database.execute(planted)
    database.commit()
    database.close()
    with pytest.raises(StorageError, match="of its own"):
        open_journal(tmp_path, environ={})


def test_records_of_somebody_else_make_no_root(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "docs"
    inner.mkdir(parents=True)
    (tmp_path / "repo" / "bottega.toml").write_text("")
    (inner / ".bottega").mkdir()
    (inner / ".bottega" / "raw.sqlite").write_text("planted")
    assert find_root(inner) == tmp_path / "repo"
    (inner / ".bottega" / "raw.sqlite").unlink()
    sealed_folder(inner)
    assert find_root(inner) == inner


def _record(root: Path) -> str:
    root.mkdir(exist_ok=True)
    journal = open_journal(root, environ={})
    run_id = begin(journal)
    journal.close()
    return run_id
