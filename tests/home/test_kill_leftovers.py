"""A process that is killed while it writes leaves nothing that the next one does not remove."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from bottega.home import remove_abandoned_files, replace_file
from bottega.journal import open_journal
from bottega.journal.investigations import FileInvestigationStore
from bottega.journal.secrets import masker_for

HANGING_WRITER = """
import os, sys, time
from pathlib import Path
from bottega.home import files
os.fsync = lambda handle: (print("writing", flush=True), time.sleep(60))  # killed here, between write and rename
files.replace_file(Path(sys.argv[1]), "text")
"""


def _kill_a_writer(target: Path) -> Path:
    """The file that a writer, killed in the middle, leaves beside its target."""
    target.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-c", HANGING_WRITER, str(target)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        [beside] = target.parent.glob(".new-*")
        remove_abandoned_files(target.parent)
        assert beside.exists()  # its writer lives
        writer.send_signal(signal.SIGKILL)
    assert beside.exists()
    return beside


def test_the_file_of_a_dead_writer_is_removed_and_that_of_a_living_one_stays(tmp_path: Path) -> None:
    beside = _kill_a_writer(tmp_path / "deep" / "target.json")
    remove_abandoned_files(tmp_path)
    assert not beside.exists()


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / ".new-link").symlink_to(tmp_path / "precious")
    os.mkfifo(folder / ".new-pipe")
    remove_abandoned_files(folder)
    assert (tmp_path / "precious").read_text() == "kept"


def test_the_next_review_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, environ={})
    review = journal.reviews.begin()
    beside = _kill_a_writer(tmp_path / ".bottega" / "reviews" / review / "report.md")
    journal.reviews.begin()
    assert not beside.exists()
    journal.close()


def test_the_next_investigation_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    folder = tmp_path / ".bottega" / "investigations"
    store = FileInvestigationStore(folder, masker_for(tmp_path, {}), lambda: "seal")
    name = store.open("target")
    beside = _kill_a_writer(folder / name / "files" / "x.json")
    assert store.open("target") == name
    assert not beside.exists()


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    replace_file(tmp_path / "a", "one")
    replace_file(tmp_path / "a", "two")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["two"]
