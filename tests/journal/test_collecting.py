"""`runs gc`: what goes, what stays, and that no files are left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from bottega.journal import Journal

_HOLDER = """
import sys, time
from pathlib import Path
from bottega.journal import Journal
journal = Journal(Path(sys.argv[1]), environ={})
run = journal.runs.begin(pipeline="p", kind="k", definition={}, state={}, settings={}, version="1")
session = journal.sessions.open(run)
print(run, flush=True)
time.sleep(60)
"""


def _begun(journal: Journal) -> str:
    return journal.runs.begin(pipeline="p", kind="k", definition={}, state={}, settings={}, version="1")


def test_a_run_under_way_stays_and_a_dead_one_goes_with_its_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _HOLDER, str(tmp_path)]
    dead, alive = (subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2))
    assert dead.stdout is not None
    assert alive.stdout is not None
    dead_id, alive_id = dead.stdout.readline().strip(), alive.stdout.readline().strip()
    os.kill(dead.pid, signal.SIGKILL)
    dead.communicate()
    journal = Journal(tmp_path, environ={})
    try:
        assert journal.collect(before="9999", keep=0) == 1
        assert not journal.runs.exists(dead_id)
        assert journal.runs.exists(alive_id)
        assert {path.stem for path in (tmp_path / ".bottega" / "sessions").glob("*.sqlite")} == {alive_id}
    finally:
        journal.close()
        alive.kill()
        alive.communicate()


def test_the_newest_are_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path, environ={})
    ids = [_begun(journal) for _ in range(5)]
    for run in ids:
        journal.runs.end(run, "done", final_state={})
    assert journal.collect(before="9999", keep=2) == 3
    assert [journal.runs.exists(run) for run in ids] == [False, False, False, True, True]
    journal.close()
