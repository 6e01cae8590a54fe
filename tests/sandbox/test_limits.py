from __future__ import annotations

import os
import signal
import sys
from uuid import uuid4

import pytest

from bottega.sandbox import Bubblewrap, Limits, Rlimits, Sandbox

from .commands import CHATTER, FORK_BOMB, FORK_SLEEPERS, SLEEP, SPIN, is_gone, python, spawn

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="macOS neither limits memory nor has /proc")


def test_the_clock_stops_a_command(sandbox: Sandbox) -> None:
    ran = sandbox.run(python(SLEEP), files={}, limits=Limits(seconds=0.5))
    assert ran.timed_out
    assert ran.code is None
    assert not ran.ok
    assert 0.5 <= ran.seconds < 3
    assert str(ran).startswith("timed out")


@pytest.mark.parametrize("leave_the_session", [False, pytest.param(True, marks=needs_linux)])
def test_the_clock_stops_grandchildren_too(sandbox: Sandbox, leave_the_session: bool) -> None:
    mark = uuid4().hex
    code = spawn(leave_the_session=leave_the_session) + SLEEP
    ran = sandbox.run(python(code, mark), files={}, limits=Limits(seconds=1))
    assert ran.timed_out
    assert ran.stdout == "spawned\n"
    assert is_gone(mark)


def test_a_command_that_closes_its_streams_is_still_timed(sandbox: Sandbox) -> None:
    code = f"import os; os.close(1); os.close(2); {SLEEP}"
    assert sandbox.run(python(code), files={}, limits=Limits(seconds=0.5)).timed_out


def test_processor_time_is_limited(sandbox: Sandbox) -> None:
    ran = sandbox.run(python(SPIN), files={}, limits=Limits(cpu_seconds=1))
    assert ran.code == 128 + signal.SIGXCPU


@needs_linux
@pytest.mark.parametrize("hoard", ["bytearray(2 << 30)", "__import__('mmap').mmap(-1, 8 << 30)"])
def test_memory_is_limited_private_and_shared(sandbox: Sandbox, hoard: str) -> None:
    ran = sandbox.run(python(f"hoard = {hoard}"), files={})
    assert ran.code == 1
    assert "MemoryError" in ran.stderr or "Cannot allocate memory" in ran.stderr


def test_threads_fit_into_the_memory_limit(sandbox: Sandbox) -> None:
    code = (
        "import threading, time\n"
        "threads = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range(40)]\n"
        "[thread.start() for thread in threads]\n"
        "print(len(threads))\n"
    )
    assert sandbox.run(python(code), files={}).stdout == "40\n"


def test_the_size_of_a_file_is_limited(sandbox: Sandbox) -> None:
    ran = sandbox.run(python("open('big', 'wb').write(bytes(2 << 20))"), files={}, limits=Limits(file_mb=1))
    assert "File too large" in ran.stderr


def test_endless_output_is_cut_and_the_other_stream_survives(sandbox: Sandbox) -> None:
    ran = sandbox.run(python(CHATTER), files={}, limits=Limits(seconds=0.7, output_bytes=5000))
    assert ran.truncated
    assert ran.timed_out
    assert len(ran.stdout) == 5000
    assert ran.stderr == "last words\n"


def test_long_output_is_cut_without_hurting_the_command(sandbox: Sandbox) -> None:
    ran = sandbox.run(python("print('x' * 1_000_000)"), files={}, limits=Limits(output_bytes=10))
    assert ran.ok
    assert (ran.stdout, ran.truncated) == ("x" * 10, True)


def test_output_that_just_fits_is_whole(sandbox: Sandbox) -> None:
    ran = sandbox.run(["printf", "0123456789"], files={}, limits=Limits(output_bytes=10))
    assert (ran.stdout, ran.truncated) == ("0123456789", False)


def test_processes_are_counted_behind_bubblewrap(bubblewrap: Bubblewrap) -> None:
    ran = bubblewrap.run(python(FORK_SLEEPERS), files={}, limits=Limits(processes=20))
    assert ran.stdout == "refused after 19\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="the kernel does not count root's processes")
def test_processes_are_counted_on_top_of_those_the_user_has() -> None:
    ran = Rlimits().run(python(FORK_SLEEPERS), files={}, limits=Limits(processes=20))
    assert ran.stdout.startswith("refused after ")


def test_a_flood_of_processes_ends(sandbox: Sandbox) -> None:
    mark = uuid4().hex
    ran = sandbox.run(python(FORK_SLEEPERS, mark), files={}, limits=Limits(processes=20))
    assert ran.ok
    assert is_gone(mark)


def test_a_fork_bomb_ends(bubblewrap: Bubblewrap) -> None:
    mark = uuid4().hex
    ran = bubblewrap.run(python(FORK_BOMB, mark), files={}, limits=Limits(seconds=1, processes=20))
    assert ran.timed_out
    assert ran.seconds < 4
    assert is_gone(mark)
