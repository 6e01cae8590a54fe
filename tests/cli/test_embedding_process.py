"""The process that embeds in the background never brings a removed `.bottega` back, and ends when it is gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.retrieve.embedding_process import identify_folder
from tests.cli.bottega import run

FILES = 60


def _indexed(root: Path) -> Path:
    for n in range(FILES):
        (root / f"house_{n}.py").write_text(f"def open_door_{n}(key):\n    return key + {n}\n")
    assert run("index", cwd=root).code == 0
    return root / ".bottega"


def _start(root: Path, folder: Path, identity: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-P", "-m", "bottega.retrieve.embedding_process", str(root), str(folder), identity]
    return subprocess.Popen(words, cwd=root, env={"PATH": os.environ["PATH"], "HOME": str(root / "home")})


def test_it_embeds_what_is_indexed(tmp_path: Path) -> None:
    folder = _indexed(tmp_path)
    with _start(tmp_path, folder, identify_folder(folder)) as process:
        assert process.wait(100) == 0
    assert list(folder.glob("vectors/*/numbers"))


def test_it_ends_and_makes_nothing_when_the_folder_goes(tmp_path: Path) -> None:
    folder = _indexed(tmp_path)
    with _start(tmp_path, folder, identify_folder(folder)) as process:
        shutil.rmtree(folder)
        process.wait(60)
    assert not folder.exists()


def test_a_new_folder_of_the_same_name_is_not_its_own(tmp_path: Path) -> None:
    folder = _indexed(tmp_path)
    identity = identify_folder(folder)
    folder.rename(tmp_path / "aside")
    folder.mkdir()
    with _start(tmp_path, folder, identity) as process:
        assert process.wait(60) == 0
    assert list(folder.iterdir()) == []


def test_index_starts_one_that_survives_neither_the_folder_nor_long(tmp_path: Path) -> None:
    for n in range(FILES):
        (tmp_path / f"house_{n}.py").write_text(f"def open_door_{n}(key):\n    return key + {n}\n")
    run("index", cwd=tmp_path, env={"BOTTEGA_INDEX_VECTORS": "background"})
    shutil.rmtree(tmp_path / ".bottega")
    give_up = time.monotonic() + 60
    while _is_running(tmp_path) and time.monotonic() < give_up:
        time.sleep(0.2)
    assert not _is_running(tmp_path)
    assert not (tmp_path / ".bottega").exists()


def _is_running(root: Path) -> bool:
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
    return any("bottega.retrieve.embedding_process" in line and str(root) in line for line in listed.splitlines())


def test_a_killed_refresh_leaves_no_file_that_the_next_does_not_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = _indexed(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as dead:
        dead.send_signal(signal.SIGKILL)
    (folder / "segments" / f"abc.{dead.pid}.new").write_bytes(b"torn")
    (folder / "segments" / f"abc.{os.getpid()}.new").write_bytes(b"being written")
    (tmp_path / "more.py").write_text("def more():\n    return 1\n")
    open_store(tmp_path).refresh()
    assert [path.name for path in (folder / "segments").glob("*.new")] == [f"abc.{os.getpid()}.new"]
