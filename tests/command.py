"""The `bottega` command for tests: a process of its own, without the time that starting Python takes."""

from __future__ import annotations

import atexit
import functools
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRESH = [sys.executable, "-m", "bottega"]
"""The command in a fresh interpreter, for tests that kill it, limit it, or set variables of the interpreter."""


def command_for(environ: Mapping[str, str]) -> list[str]:
    """The words that run `bottega` in a process forked from one that has imported the package.

    Variables for the interpreter need a fresh one.
    """
    if any(name.startswith("PYTHON") for name in environ) or not hasattr(os, "pidfd_open"):
        return FRESH
    return [sys.executable, "-ISE", str(ROOT / "tests" / "command_client.py"), _server_address()]


@functools.cache
def _server_address() -> str:
    """Start the server of this test process; it ends when its standard input closes."""
    folder = tempfile.TemporaryDirectory(prefix="bottega-tests-")
    address = f"{folder.name}/socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(address)
        listener.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.command_server", str(listener.fileno())],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        )

    def stop() -> None:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
        folder.cleanup()

    atexit.register(stop)
    return address
