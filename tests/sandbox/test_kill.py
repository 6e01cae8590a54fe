"""A caller that is killed leaves neither processes nor directories."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from bottega.sandbox import Bubblewrap, Rlimits

from .commands import is_gone

CALLER = """
import sys
from bottega.sandbox import Bubblewrap, Limits, Rlimits
sandbox = Rlimits() if sys.argv[1] == "unsafe" else Bubblewrap(sys.argv[1])
code = "import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(60)"
sandbox.run([sys.executable, "-c", code, sys.argv[2]], files={"a": "b"}, limits=Limits(seconds=50))
"""


def _kill_a_caller(kind: str, temporary: Path) -> str:
    """Start a sandbox in a process of its own, kill that process while the command runs, return the command's mark."""
    mark = uuid4().hex
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, "-c", CALLER, kind, mark], env=environment) as caller:
        _wait_for(mark)
        caller.send_signal(signal.SIGKILL)
    return mark


def _wait_for(mark: str) -> None:
    give_up = time.monotonic() + 30
    while time.monotonic() < give_up:
        listed = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        of_the_command = [line for line in listed.splitlines() if mark in line and not _is_ours(line)]
        if len(of_the_command) >= 2:  # the command and its daemon
            return
        time.sleep(0.05)
    raise AssertionError("the command did not start")


def _is_ours(line: str) -> bool:
    return "sandbox.run" in line or "bwrap" in line or "launch.py" in line


def _kill_marked(mark: str) -> None:
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        if mark in line:
            with suppress(ProcessLookupError):
                os.kill(int(line.split()[0]), signal.SIGKILL)


def test_a_killed_caller_takes_the_command_and_its_daemons_along(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    assert is_gone(_kill_a_caller(bubblewrap.program, tmp_path))


def test_behind_bubblewrap_nothing_is_ever_written_to_the_host(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    _kill_a_caller(bubblewrap.program, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a signal at the death of a parent")
def test_what_a_killed_caller_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    mark = _kill_a_caller("unsafe", tmp_path)
    assert list(tmp_path.iterdir()) != []
    _kill_marked(mark)  # without walls, what left the session lives on
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    Rlimits().run(["true"], files={})
    assert list(tmp_path.iterdir()) == []


def test_the_directory_of_a_living_caller_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bottega.sandbox.box import open_box, remove_abandoned_boxes

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with open_box(b"") as box:
        (box.work / "a").write_text("b")
        remove_abandoned_boxes()
        assert (box.work / "a").read_text() == "b"
