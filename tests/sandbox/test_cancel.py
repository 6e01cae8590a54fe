"""A cancelled run kills its command at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled
from bottega.sandbox import Layer, Limits, Sandbox, Workspace

from .commands import CHATTER, FORK_SLEEPERS, SLEEP, SPIN, is_gone, python, spawn

PROMPT = 0.5
"""Seconds between the cancel and the end of the run."""


@contextmanager
def cancelled_after(seconds: float) -> Iterator[None]:
    """Expect `Cancelled` from the block, promptly after so many seconds."""
    token = Cancellation()
    moment = 0.0

    def cancel() -> None:
        nonlocal moment
        moment = time.monotonic()
        token.cancel("enough")

    timer = threading.Timer(seconds, cancel)
    timer.start()
    with cancel_scope(token), pytest.raises(Cancelled, match="enough"):
        yield
    assert time.monotonic() - moment < PROMPT
    timer.join()


@pytest.mark.parametrize("code", [SLEEP, SPIN, CHATTER, f"import os; os.close(1); os.close(2); {SLEEP}"])
def test_a_command_is_killed_when_its_run_is_cancelled(sandbox: Sandbox, code: str) -> None:
    mark = uuid4().hex
    with cancelled_after(0.5):
        sandbox.run(python(code, mark), files={}, limits=Limits(seconds=30))
    assert is_gone(mark)


@pytest.mark.parametrize("code", [spawn(leave_the_session=True) + SLEEP, FORK_SLEEPERS + SLEEP])
def test_its_whole_process_tree_goes_too(sandbox: Sandbox, code: str) -> None:
    mark = uuid4().hex
    with cancelled_after(0.7):
        sandbox.run(python(code, mark), files={}, limits=Limits(seconds=30, processes=30))
    assert is_gone(mark)


def test_the_layer_of_a_cancelled_command_stays_as_it_was(sandbox: Sandbox, layer: Layer) -> None:
    with cancelled_after(0.7):
        sandbox.run(python(f"open('new', 'w').write('x')\n{SLEEP}"), files={}, workspace=Workspace(layer))
    assert not layer.diff()
    assert sandbox.run(["true"], files={}, workspace=Workspace(layer)).ok


def test_a_run_that_is_cancelled_already_starts_no_command(sandbox: Sandbox, layer: Layer) -> None:
    token = Cancellation()
    token.cancel()
    with cancel_scope(token), pytest.raises(Cancelled):
        sandbox.run(["sh", "-c", "echo x > new"], files={}, workspace=Workspace(layer))
    assert not layer.diff()


def test_outside_of_any_run_nothing_is_cancelled(sandbox: Sandbox) -> None:
    assert sandbox.run(["true"], files={}).ok
