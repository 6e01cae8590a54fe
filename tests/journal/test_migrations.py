from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.journal import Event, Journal, RecordConflict, now, open_journal

from .entries import begin, sealed_folder

MIGRATIONS = sorted(
    (entry for entry in (resources.files("bottega.journal") / "migrations").iterdir() if entry.name.endswith(".sql")),
    key=lambda entry: entry.name,
)
RELEASED = range(1, len(MIGRATIONS) + 1)


CHILDREN = """
INSERT INTO steps VALUES ('0198a', 1, 'draft', 'call_coder', 'done', 'draft', NULL, 'a', 'b');
INSERT INTO calls (id, run_id, seq, request_hash, nth, stage, role, model, request, prompt_version, status, sent_at)
VALUES ('c1', '0198a', 1, 'h', 0, 'write.coder', 'coding', 'scripted/one', '{}', 'v1', 'sent', 'a');
INSERT INTO attempts VALUES ('c1', 1, NULL, 'a', 'b');
INSERT INTO effects VALUES ('0198a', 1, 'tests', 0, '1', 'a');
INSERT INTO decisions VALUES ('0198a', 1, 'escalate', '1', 'why', 'b');
INSERT INTO validations VALUES ('0198a', 1, 'syntax', 'passed', '', 'c');
INSERT INTO outcomes VALUES ('0198a', 'accepted', 'yes', '', 'd');
INSERT INTO session_archives VALUES ('0198a', x'00', 'a');
INSERT INTO model_facts VALUES ('ollama/a', 'window', '4096', 'a');
"""


def database_of_version(root: Path, version: int) -> Path:
    """The journal as that release left it, with one run and a row of every kind that belongs to it."""
    path = sealed_folder(root) / "raw.sqlite"
    database = sqlite3.connect(path)
    for entry in MIGRATIONS[:version]:
        database.executescript(entry.read_text(encoding="utf-8"))
    database.execute(f"PRAGMA user_version = {version}")
    database.execute(
        "INSERT INTO runs (id, pipeline, kind, definition, input, settings, status, version, created_at)"
        " VALUES ('0198a', 'write', 'write', '{}', '{}', '{}', 'done', ?, '2026-01-01T00:00:00.000000Z')",
        (str(version),),
    )
    database.executescript(CHILDREN)
    database.commit()
    database.close()
    return path


def version_and_tables(path: Path) -> tuple[int, frozenset[str]]:
    database = sqlite3.connect(path)
    try:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return database.execute("PRAGMA user_version").fetchone()[0], frozenset(row[0] for row in tables)
    finally:
        database.close()


def test_migrations_are_numbered_without_gaps() -> None:
    assert [entry.name for entry in MIGRATIONS] == [f"{number:04d}.sql" for number in RELEASED]


def test_a_fresh_journal_has_the_newest_version(tmp_path: Path, journal: Journal) -> None:
    version, tables = version_and_tables(tmp_path / ".bottega" / "raw.sqlite")
    assert version == len(MIGRATIONS)
    assert tables >= {"runs", "steps", "calls", "outcomes", "session_archives"}


def test_opening_twice_changes_nothing(tmp_path: Path, journal: Journal) -> None:
    run_id = begin(journal)
    path = tmp_path / ".bottega" / "raw.sqlite"
    before = version_and_tables(path)
    again = open_journal(tmp_path, environ={})
    assert again.runs.get(run_id).id == run_id
    again.close()
    assert version_and_tables(path) == before


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    (sealed_folder(tmp_path) / "raw.sqlite").touch()
    journal = open_journal(tmp_path, environ={})
    begin(journal)
    journal.close()
    assert version_and_tables(tmp_path / ".bottega" / "raw.sqlite")[0] == len(MIGRATIONS)


def test_a_migration_that_cannot_be_carried_out_leaves_nothing_half_done(tmp_path: Path) -> None:
    path = sealed_folder(tmp_path) / "raw.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE outcomes (mine TEXT)")
    database.close()
    with pytest.raises(StorageError, match="already exists"):
        open_journal(tmp_path, environ={})
    assert version_and_tables(path) == (0, frozenset({"outcomes"}))


@pytest.mark.parametrize("version", RELEASED)
def test_a_journal_of_every_release_is_brought_up_with_its_runs(tmp_path: Path, version: int) -> None:
    path = database_of_version(tmp_path, version)
    journal = open_journal(tmp_path, environ={})
    assert journal.runs.get("0198a").version == str(version)
    assert [step.step_id for step in journal.runs.steps("0198a")] == ["draft"]
    assert [call.status for call in journal.calls.of_run("0198a")] == ["sent"]
    assert [note.what for note in journal.notes.of_run("0198a")] == ["effect", "decision", "validation", "outcome"]
    journal.runs.reopen("0198a")
    journal.runs.request_cancel("0198a")
    journal.events.add([Event("0198a", 1, now(), "", "remark", text="cancelled")])
    journal.runs.end("0198a", "cancelled")
    assert journal.runs.get("last").status == "cancelled"
    journal.close()

    fresh = tmp_path / "fresh"
    open_journal(fresh, environ={}).close()
    assert version_and_tables(path) == version_and_tables(fresh / ".bottega" / "raw.sqlite")


@pytest.mark.parametrize("version", RELEASED)
def test_rows_of_a_run_still_belong_to_it_after_the_migration(tmp_path: Path, version: int) -> None:
    path = database_of_version(tmp_path, version)
    with closing(open_journal(tmp_path, environ={})) as journal:
        with pytest.raises(RecordConflict):
            journal.runs.begin_step("no-such-run", 1, "draft", "call_coder")
        assert journal.runs.collect(before=now(), keep=0) == 1
    with closing(sqlite3.connect(path)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = [name for name in tables if database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
    assert filled == ["model_facts"]


def test_rows_without_their_run_keep_a_migration_from_being_committed(tmp_path: Path) -> None:
    path = database_of_version(tmp_path, 2)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM runs")
    with pytest.raises(StorageError, match=r"damaged: a row of .* refers to no row of runs"):
        open_journal(tmp_path, environ={})
    assert version_and_tables(path)[0] == 2


def test_a_journal_of_a_newer_release_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = database_of_version(tmp_path, len(MIGRATIONS))
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    with pytest.raises(StorageError, match=r"^this repository's records were written by a newer bottega$") as caught:
        open_journal(tmp_path, environ={})
    assert "bottega docs install" in caught.value.hint
    assert version_and_tables(path)[0] == len(MIGRATIONS) + 1
