"""A model's escape sequences reach no terminal; a file or a pipe gets the bytes, and the reader a warning."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.bottega import run, script

HOSTILE = (
    'TITLE = "\x1b]0;owned\x07"\nCLIP = "\x1b]52;c;cm0gLXJm\x07"\nCLEAR = "\x1b[2J\x1b[1;31m"\n'
    'C1 = "\x9b31m"\nBIDI = "\u202etxt.exe"\nBACK = "abc\x08\x08\rxyz"\n'
)
STEERING = ("\x1b", "\x07", "\x9b", "\u202e", "\x08")


def _on_a_terminal(*arguments: str, cwd: Path) -> str:
    """What a person sees: standard output and standard error are one terminal."""
    leader, follower = pty.openpty()
    environ = {"PATH": os.environ["PATH"], "HOME": str(cwd / "home"), "LANG": "C.UTF-8", "TERM": "dumb"}
    words = [sys.executable, "-m", "bottega", *arguments]
    with subprocess.Popen(words, cwd=cwd, env=environ, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower):
        os.close(follower)
        seen = b""
        try:
            while chunk := os.read(leader, 65536):
                seen += chunk
        except OSError:  # the last process at the other end has left
            pass
    os.close(leader)
    return seen.decode("utf-8", "replace")


@pytest.mark.parametrize("verb", [("write", "///raw x"), ("write", "///raw x", "--format", "json")])
def test_nothing_that_steers_reaches_a_terminal(tmp_path: Path, verb: tuple[str, ...]) -> None:
    model = script(tmp_path, {"write.coder": [HOSTILE]})
    seen = _on_a_terminal(*verb, "--model", model, cwd=tmp_path)
    assert "TITLE" in seen
    assert not [mark for mark in STEERING if mark in seen]


def test_records_shown_on_a_terminal_are_escaped_too(tmp_path: Path) -> None:
    run("write", "///raw x", "--model", script(tmp_path, {"write.coder": [HOSTILE]}), cwd=tmp_path)
    for verb in (["runs", "show", "last", "--calls"], ["replay", "last"], ["runs"]):
        seen = _on_a_terminal(*verb, cwd=tmp_path)
        assert not [mark for mark in STEERING if mark in seen], verb


def test_a_pipe_gets_the_bytes_and_the_reader_a_warning(tmp_path: Path) -> None:
    ended = run("write", "///raw x", "--model", script(tmp_path, {"write.coder": [HOSTILE]}), cwd=tmp_path)
    assert ended.out == HOSTILE
    assert "contains control characters" in ended.err
    assert not [mark for mark in STEERING if mark in ended.err]


def test_a_file_gets_the_bytes_and_the_reader_a_warning(tmp_path: Path) -> None:
    model = script(tmp_path, {"write.coder": [HOSTILE]})
    ended = run("write", "///raw x", "--out", "code.py", "--model", model, cwd=tmp_path)
    assert (tmp_path / "code.py").read_bytes().decode() == HOSTILE
    assert "contains control characters" in ended.err
