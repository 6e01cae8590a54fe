"""A terminal for tests: the command runs on a pseudo-terminal, and its output is what the screen shows at the end."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_STEPS = re.compile(r"\x1b\[K|\r|\n|[^\x1b\r\n]+|\x1b\[[0-9;]*[a-zA-Z]")

_POLL_S = 0.1


@dataclass(frozen=True)
class Shown:
    code: int
    raw: str

    @property
    def lines(self) -> list[str]:
        """The rows of the screen: carriage returns go back, and `ESC [K` clears to the end of the row."""
        rows, column = [""], 0
        for step in _STEPS.findall(self.raw):
            if step == "\r":
                column = 0
            elif step == "\n":
                rows.append("")
            elif step == "\x1b[K":
                rows[-1] = rows[-1][:column]
            elif not step.startswith("\x1b"):
                rows[-1] = rows[-1][:column] + step + rows[-1][column + len(step) :]
                column += len(step)
        return rows


def on_a_terminal(
    *arguments: str,
    cwd: Path,
    env: dict[str, str] | None = None,
    press: Callable[[str], str] = lambda _: "",
) -> Shown:
    """Run the command; standard output and standard error are one terminal.

    `press` is called again and again with what was printed so far, and returns keys to press.
    """
    leader, follower = pty.openpty()
    environ = {"PATH": os.environ["PATH"], "HOME": str(cwd / "home"), "LANG": "C.UTF-8", "TERM": "xterm"}
    environ |= {"BOTTEGA_INDEX_VECTORS": "manual", "OLLAMA_HOST": "127.0.0.1:9", **(env or {})}
    words = [sys.executable, "-m", "bottega", *arguments]
    with subprocess.Popen(
        words,
        cwd=cwd,
        env=environ,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        preexec_fn=_take_terminal,
    ) as process:
        os.close(follower)
        seen = b""
        try:
            while True:
                if select.select([leader], [], [], _POLL_S)[0]:
                    seen += os.read(leader, 65536)
                if keys := press(seen.decode("utf-8", "replace")):
                    os.write(leader, keys.encode())
        except OSError:  # the last process at the other end has left
            pass
        code = process.wait(30)
    os.close(leader)
    return Shown(code, seen.decode("utf-8", "replace"))


def _take_terminal() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C interrupts the command.

    A gate that runs in the background of a script ignores SIGINT, and what it starts inherits that.
    """
    import fcntl
    import signal
    import termios

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
