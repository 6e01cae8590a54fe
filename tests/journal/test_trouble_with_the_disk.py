from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bottega.errors import StorageError
from bottega.journal import Journal, open_journal

from .entries import begin, complete, history, only_call, record, sealed_folder, send


def random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(50_000))


def a_text_file(path: Path) -> None:
    path.write_text("these are not the records you are looking for\n" * 100)


def cut_short(path: Path) -> None:
    journal = open_journal(path.parent.parent, environ={})
    for nth in range(50):
        send(journal, begin(journal), nth=nth, text="x" * 2000)
    journal.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def cut_inside_its_header(path: Path) -> None:
    cut_short(path)
    path.write_bytes(path.read_bytes()[:60])


@pytest.mark.parametrize("damage", [random_bytes, a_text_file, cut_short, cut_inside_its_header])
def test_a_damaged_journal_is_refused_with_a_way_out_and_left_untouched(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = sealed_folder(tmp_path) / "raw.sqlite"
    damage(path)
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"^raw\.sqlite is damaged: ") as caught:
        _read_everything(tmp_path)
    assert caught.value.hint.startswith(f"Move {path} aside; a fresh one is made.")
    assert path.read_bytes() == before


def test_a_directory_in_the_journals_place_is_refused(tmp_path: Path) -> None:
    path = sealed_folder(tmp_path) / "raw.sqlite"
    path.mkdir()
    with pytest.raises(StorageError, match="cannot be written") as caught:
        open_journal(tmp_path, environ={})
    assert caught.value.hint
    assert path.is_dir()


def test_a_file_in_the_place_of_the_folder_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / ".bottega"
    path.write_text("mine")
    path.chmod(0o640)
    with pytest.raises(StorageError, match="is not a directory") as caught:
        open_journal(tmp_path, environ={})
    assert caught.value.hint
    assert path.read_text() == "mine"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_directory_in_the_place_of_a_history_file_is_refused(tmp_path: Path) -> None:
    (sealed_folder(tmp_path) / "history" / "history_000001.jsonl").mkdir(parents=True)
    with pytest.raises(StorageError, match="cannot be written"):
        history(tmp_path).append(record())


def test_a_damaged_session_is_refused_and_can_be_tried_again(tmp_path: Path, journal: Journal) -> None:
    run_id = begin(journal)
    journal.sessions.open(run_id).close()
    path = tmp_path / ".bottega" / "sessions" / f"{run_id}.sqlite"
    random_bytes(path)
    for _ in range(2):
        with pytest.raises(StorageError, match="is damaged") as caught:
            journal.sessions.open(run_id)
        assert caught.value.hint
    assert not journal.sessions.is_alive(run_id)


def test_a_directory_without_permission_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere; the read-only file system below is the same to it")
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="cannot be written") as caught:
        open_journal(tmp_path, environ={})
    assert caught.value.hint == "Check the permissions of the directory."


def test_a_read_only_file_system_is_refused_before_and_after_the_journal_was_made(small_disk: Path) -> None:
    fresh = small_disk / "fresh"
    fresh.mkdir()
    made = small_disk / "made"
    open_journal(made, environ={}).close()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    for root in (fresh, made):
        with pytest.raises(StorageError, match=r"cannot be written: ") as caught:
            open_journal(root, environ={})
        assert caught.value.hint == "Check the permissions of the directory."


def test_a_full_disk_is_named_and_what_was_written_stays(small_disk: Path) -> None:
    journal = open_journal(small_disk, environ={})
    run_id = begin(journal)
    session = journal.sessions.open(run_id)
    session.put({"state": "before"})
    complete(journal, send(journal, run_id, text="before"))
    fill = small_disk / "fill"
    _fill(fill)

    with pytest.raises(StorageError, match=r"^the disk is full: ") as caught:
        send(journal, run_id, nth=1, text="x" * 500_000)
    assert caught.value.hint.startswith("Free some space")
    with pytest.raises(StorageError, match=r"^the disk is full: "):
        session.put({"position": 2, "state": "x" * 500_000})
    with pytest.raises(StorageError, match=r"^the disk is full: "):
        journal.history.append(record(final_output="x" * 500_000))
    assert only_call(journal, run_id).reply == "sorted(x)"
    assert (session.get("state"), session.keys()) == ("before", ["state"])

    fill.unlink()
    session.put({"state": "after"})
    journal.history.append(record())
    assert list(journal.history.newest()) == [record()]
    send(journal, run_id, nth=1, text="after")
    session.close()
    journal.close()
    again = open_journal(small_disk, environ={})
    assert [call.status for call in again.calls.of_run(run_id)] == ["completed", "sent"]
    again.close()


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as handle:
        try:
            while True:
                handle.write(b"x" * 4096)
        except OSError:
            return


def _read_everything(root: Path) -> None:
    journal = open_journal(root, environ={})
    try:
        for run in journal.runs.newest(1000):
            journal.calls.of_run(run.id)
    finally:
        journal.close()
