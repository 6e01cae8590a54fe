"""`runs gc`: what goes, what stays, and that no files are left behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from bottega.journal import Enrichment, Event, Journal, now, open_journal

from .entries import begin, complete, send

_HOLDER = """
import sys, time
from pathlib import Path
from bottega.journal import open_journal
journal = open_journal(Path(sys.argv[1]), environ={})
run = journal.runs.begin(pipeline="p", kind="k", definition={}, state={}, settings={}, version="1")
session = journal.sessions.open(run)
print(run, flush=True)
time.sleep(60)
"""


def test_a_run_under_way_stays_and_a_dead_one_goes_with_its_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _HOLDER, str(tmp_path)]
    dead, alive = (subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2))
    assert dead.stdout is not None
    assert alive.stdout is not None
    dead_id, alive_id = dead.stdout.readline().strip(), alive.stdout.readline().strip()
    os.kill(dead.pid, signal.SIGKILL)
    dead.communicate()
    journal = open_journal(tmp_path, environ={})
    try:
        assert journal.collect(before="9999", keep=0) == 1
        assert not journal.runs.exists(dead_id)
        assert journal.runs.exists(alive_id)
        assert {path.stem for path in (tmp_path / ".bottega" / "sessions").glob("*.sqlite")} == {alive_id}
    finally:
        journal.close()
        alive.kill()
        alive.communicate()


def test_a_collected_run_leaves_no_row_in_any_table_but_what_is_known_of_models_and_files(
    journal: Journal, tmp_path: Path
) -> None:
    run_id = begin(journal)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    call_id = send(journal, run_id)
    journal.calls.attempt(call_id, 1, started_at=now(), error=None)
    complete(journal, call_id)
    journal.notes.decide(run_id, 1, "a", 1, "")
    journal.notes.validate(run_id, 1, "syntax", "passed", "")
    journal.notes.record_effect(run_id, 1, "tests", 0, 1)
    journal.notes.outcome(run_id, "accepted", "yes", "")
    journal.events.add([Event(run_id, 1, now(), "draft", "began")])
    session = journal.sessions.open(run_id)
    session.put({"a": 1})
    journal.sessions.archive(run_id, session)
    journal.facts.put("ollama/a", "window", 1)
    journal.enrichments.put(run_id, Enrichment("a.py", "0", "ollama/a", "1", {"purpose": "b"}, ""))
    journal.runs.end(run_id, "done")
    assert set(_rows(tmp_path).values()) == {1}

    assert journal.runs.collect(before=now(), keep=0) == 1

    assert {table for table, count in _rows(tmp_path).items() if count} == {"model_facts", "enrichments"}


def _rows(root: Path) -> dict[str, int]:
    database = sqlite3.connect(root / ".bottega" / "raw.sqlite")
    try:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    finally:
        database.close()
