"""Commands that misbehave, and a look at what they leave behind."""

from __future__ import annotations

import subprocess
import sys
import time


def python(code: str, *words: str) -> list[str]:
    return [sys.executable, "-c", code, *words]


def is_gone(mark: str) -> bool:
    """Whether no process carries `mark` on its command line, now or in a moment: the kernel takes its time."""
    give_up = time.monotonic() + 2
    while time.monotonic() < give_up:
        if (
            mark
            not in subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        ):
            return True
        time.sleep(0.05)
    return False


def spawn(*, leave_the_session: bool) -> str:
    """Code that starts a sleeper marked with the first argument, and prints when it is there."""
    return (
        "import subprocess, sys\n"
        "sleeper = [sys.executable, '-c', 'import time; time.sleep(60)', sys.argv[1]]\n"
        f"subprocess.Popen(sleeper, start_new_session={leave_the_session})\n"
        "print('spawned', flush=True)\n"
    )


SLEEP = "import time; time.sleep(60)"
SPIN = "while True: pass"
CHATTER = "import sys; print('last words', file=sys.stderr, flush=True)\nwhile True: print('x' * 1000)"
FORK_SLEEPERS = """
import os, time
for count in range(300):
    try:
        child = os.fork()
    except OSError:
        print("refused after", count, flush=True)
        break
    if child == 0:
        time.sleep(60)
"""
FORK_BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
