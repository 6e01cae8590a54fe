from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.journal import Journal

from .entries import begin

HOLDER = """
import sys
from pathlib import Path
from bottega.journal import Journal
session = Journal(Path(sys.argv[1]), environ={}).sessions.open(sys.argv[2])
session.put({"position": 3})
print("holding", flush=True)
sys.stdin.read()
"""


def test_keys_are_put_read_and_listed(journal: Journal) -> None:
    session = journal.sessions.open(begin(journal))
    session.put({"state": {"a": [1, None]}, "parts/1": "one", "parts/2": "two", "parts%": 0})
    session.put({"state": "replaced"})
    assert session.get("state") == "replaced"
    assert session.get("absent") is None
    assert session.keys("parts/") == ["parts/1", "parts/2"]
    assert session.keys() == ["parts%", "parts/1", "parts/2", "state"]
    session.close()


def test_a_session_left_open_is_found_again_as_it_was(journal: Journal) -> None:
    run_id = begin(journal)
    assert not journal.sessions.exists(run_id)
    session = journal.sessions.open(run_id)
    session.put({"position": 1, "state": {"x": "\ud800é"}})
    session.close()
    assert journal.sessions.exists(run_id)
    again = journal.sessions.open(run_id)
    assert (again.get("position"), again.get("state")) == (1, {"x": "\ufffdé"})
    again.close()


def test_a_put_is_all_or_nothing(journal: Journal, tmp_path: Path) -> None:
    run_id = begin(journal)
    session = journal.sessions.open(run_id)
    session.put({"position": 1, "state": "old"})
    with pytest.raises(TypeError):
        session.put({"position": 2, "state": object()})
    _forbid_key(tmp_path / ".bottega" / "sessions" / f"{run_id}.sqlite", "state")
    with pytest.raises(sqlite3.IntegrityError, match="forbidden"):
        session.put({"position": 2, "state": "new"})
    assert (session.get("position"), session.get("state")) == (1, "old")
    session.put({"position": 3})
    assert session.get("position") == 3
    session.close()


def test_a_session_in_use_cannot_be_opened_again(journal: Journal) -> None:
    run_id = begin(journal)
    session = journal.sessions.open(run_id)
    assert journal.sessions.is_alive(run_id)
    with pytest.raises(InputError, match=f"^run {run_id} is being carried out by another process$") as caught:
        journal.sessions.open(run_id)
    assert caught.value.hint == "Wait for it to end."
    session.put({"still": "works"})
    session.close()
    assert not journal.sessions.is_alive(run_id)


def test_a_session_of_a_living_process_is_refused_and_of_a_killed_one_is_taken_over(
    journal: Journal, tmp_path: Path
) -> None:
    run_id = begin(journal)
    command = [sys.executable, "-c", HOLDER, str(tmp_path), run_id]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "holding\n"
        assert journal.sessions.is_alive(run_id)
        with pytest.raises(InputError, match="another process"):
            journal.sessions.open(run_id)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert not journal.sessions.is_alive(run_id)
    session = journal.sessions.open(run_id)
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


def test_a_session_that_cannot_be_archived_stays_for_a_later_try(journal: Journal) -> None:
    session = journal.sessions.open("0198-of-no-run")
    session.put({"state": 1})
    with pytest.raises(sqlite3.IntegrityError):
        journal.sessions.archive("0198-of-no-run", session)
    assert journal.sessions.exists("0198-of-no-run")
    assert not journal.sessions.is_alive("0198-of-no-run")


def _forbid_key(path: Path, key: str) -> None:
    database = sqlite3.connect(path)
    database.execute(
        f"CREATE TRIGGER guard BEFORE INSERT ON kv WHEN NEW.key = '{key}' BEGIN SELECT RAISE(ABORT, 'forbidden'); END"
    )
    database.close()
