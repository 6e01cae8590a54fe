"""Sessions as files: what the contract does not see."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from bottega.journal import Journal, RecordConflict

from .entries import begin


def test_a_put_is_all_or_nothing(journal: Journal, tmp_path: Path) -> None:
    run_id = begin(journal)
    session = journal.sessions.open(run_id)
    session.put({"position": 1, "state": "old"})
    with pytest.raises(TypeError):
        session.put({"position": 2, "state": object()})
    _forbid_key(tmp_path / ".bottega" / "sessions" / f"{run_id}.sqlite", "state")
    with pytest.raises(RecordConflict, match="forbidden"):
        session.put({"position": 2, "state": "new"})
    assert (session.get("position"), session.get("state")) == (1, "old")
    session.put({"position": 3})
    assert session.get("position") == 3
    session.close()


def test_a_run_without_a_session_is_not_alive_and_asking_makes_no_file(journal: Journal, tmp_path: Path) -> None:
    assert not journal.sessions.is_alive("0198a")
    assert not (tmp_path / ".bottega" / "sessions").exists()


def test_an_archived_session_is_in_the_journal_as_a_database_and_its_files_are_gone(
    journal: Journal, tmp_path: Path
) -> None:
    run_id = begin(journal)
    session = journal.sessions.open(run_id)
    session.put({"state": {"n": 1}, "position": 9})
    journal.sessions.archive(run_id, session)
    assert list((tmp_path / ".bottega" / "sessions").iterdir()) == []
    assert not journal.sessions.exists(run_id)
    assert not journal.sessions.is_alive(run_id)

    database = sqlite3.connect(tmp_path / ".bottega" / "raw.sqlite")
    (stored,) = database.execute("SELECT session FROM session_archives WHERE run_id = ?", (run_id,)).fetchone()
    database.close()
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(stored)
    database = sqlite3.connect(copy)
    rows = dict(database.execute("SELECT key, value FROM kv").fetchall())
    database.close()
    assert rows == {"state": '{"n": 1}', "position": "9"}


def _forbid_key(path: Path, key: str) -> None:
    database = sqlite3.connect(path)
    database.execute(
        f"CREATE TRIGGER guard BEFORE INSERT ON kv WHEN NEW.key = '{key}' BEGIN SELECT RAISE(ABORT, 'forbidden'); END"
    )
    database.close()
