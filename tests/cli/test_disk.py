"""Full, read-only and shared disks: one message, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.bottega import GOOD, good_script, run


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = sys.platform.startswith("linux") and os.geteuid() == 0
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if not mounted or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root on Linux only")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def _remount(place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(place)], check=True)


def _fill(path: Path) -> None:
    with path.open("wb") as handle:
        while True:
            handle.write(b"x" * 4096)
            handle.flush()


def test_a_full_disk_is_told_and_what_was_recorded_stays(tmp_path: Path, small_disk: Path) -> None:
    assert run("write", "double", "--model", good_script(tmp_path), cwd=small_disk).code == 0
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        _fill(filler)
    ended = run("write", "double " + "again " * 200, "--model", good_script(tmp_path), cwd=small_disk)
    assert ended.code == 3
    assert "the disk is full" in ended.err
    assert "Traceback" not in ended.err
    filler.unlink()
    assert len(json.loads(run("runs", "--status", "done", "--format", "json", cwd=small_disk).out)) == 1
    assert run("replay", "last", cwd=small_disk).code in {0, 2}


def test_a_read_only_file_system_is_told(tmp_path: Path, small_disk: Path) -> None:
    _remount(small_disk, "ro")
    ended = run("write", "double", "--model", good_script(tmp_path), cwd=small_disk)
    assert ended.code == 3
    assert "cannot be written" in ended.err
    assert "hint:" in ended.err


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    models = [good_script(tmp_path, 1) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda model: run("write", "double", "--model", model, cwd=tmp_path), models))
    assert [entry.code for entry in ended] == [0] * 4, [entry.err for entry in ended]
    assert {entry.out for entry in ended} == {GOOD}
    assert len(json.loads(run("runs", "--format", "json", cwd=tmp_path).out)["runs"]) == 4
    lines = (tmp_path / ".bottega" / "history" / "history_000001.jsonl").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == 4


def test_the_folder_is_private_and_ignores_itself(tmp_path: Path) -> None:
    run("write", "double", "--model", good_script(tmp_path), cwd=tmp_path)
    folder = tmp_path / ".bottega"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    """Ctrl-C while a model is thinking."""
    from bottega.testing import Hang, Say, ScriptedServer

    with ScriptedServer([Hang(), Say(GOOD)]) as server:
        environ = {
            **os.environ,
            "HOME": str(tmp_path / "home"),
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "none-none",
        }
        command = [sys.executable, "-m", "bottega", "write", "///raw double", "--model", "openai/m"]
        child = subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environ,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell may have it ignored
        )
        with child:
            while not server.asked:
                assert child.poll() is None
            child.send_signal(signal.SIGINT)
            try:
                _, err = child.communicate(timeout=30)
            finally:
                child.kill()
        assert child.returncode == 130
        (cancelled,) = json.loads(run("runs", "--format", "json", cwd=tmp_path).out)["runs"]
        assert cancelled["status"] == "cancelled"
        assert f"bottega resume {cancelled['id']}".encode() in err
        env = {key: environ[key] for key in ("OPENAI_BASE_URL", "OPENAI_API_KEY")}
        assert run("resume", "last", "--model", "openai/m", cwd=tmp_path, env=env).out == GOOD
