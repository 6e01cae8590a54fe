"""Errands carried out by a child process that ends itself with SIGKILL at a moment given to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any, cast

from bottega.errors import BottegaError
from bottega.journal import Journal, open_journal

from .errand import Basket
from .office import LIBRARY, office, served_at

MILESTONES = frozenset(
    {"begin", "put", "begin_step", "end_step", "end", "archive", "send", "complete"}
    | {"before record_effect", "record_effect"}
)
"""Writes after which a resume finds something new. The others only add to a step that is started over."""
WRITES = MILESTONES | {"reopen", "attempt", "fail", "rule", "forget_step", "decide", "validate", "outcome"}


class Fate:
    """Counts the moments that have one of the names; the process does not outlive the one it was given."""

    def __init__(self, die_at: int, counted: frozenset[str]) -> None:
        self.moments: list[str] = []
        self._counted = counted
        self._die_at = die_at
        self._lock = threading.Lock()

    def moment(self, name: str) -> None:
        if name not in self._counted:
            return
        with self._lock:
            self.moments.append(name)
            if len(self.moments) == self._die_at:
                os.kill(os.getpid(), signal.SIGKILL)


class Part:
    """A part of the journal that behaves as it is; the end of a write may be the end of the process."""

    def __init__(self, part: object, fate: Fate) -> None:
        self._part = part
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        return self._mortal(name, found) if name in WRITES else found

    def open(self, run_id: str) -> Part:
        """A session is a part as well."""
        return Part(cast("Any", self._part).open(run_id), self._fate)  # only the part that has sessions is asked

    def _mortal(self, name: str, write: Callable[..., Any]) -> Callable[..., Any]:
        def written(*values: Any, **named: Any) -> Any:
            self._fate.moment(f"before {name}")
            answer = write(*values, **named)
            self._fate.moment(name)
            return answer

        return written


def mortal_journal(root: Path, fate: Fate) -> Journal:
    journal = open_journal(root, environ={})
    parts: dict[str, Any] = {
        name: Part(getattr(journal, name), fate) for name in ("runs", "calls", "notes", "sessions")
    }
    return replace(journal, **parts)


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a child does: begin a pipeline, or resume the last run when none is named.

    It dies at the `die_at`th of the moments that count, never when that is 0. Its model has the name of its folder,
    so that a server knows whom it serves.
    """

    root: Path
    url: str
    pipeline: str = ""
    die_at: int = 0
    counted: frozenset[str] = MILESTONES

    def carry_out(self) -> None:
        fate = Fate(self.die_at, self.counted)
        settings = served_at(self.url, model=self.root.name)
        with office(self.root, settings=settings, journal=lambda root: mortal_journal(root, fate)) as errands:
            try:
                if self.pipeline:
                    errands.engine.start(LIBRARY.get(self.pipeline), Basket())
                else:
                    errands.engine.resume("last")
            except BottegaError as error:
                (self.root / f"told-{os.getpid()}.txt").write_text(str(error))
                sys.exit(error.exit_code)
        (self.root / "moments.txt").write_text("\n".join(fate.moments))


def _forks() -> ForkServerContext:
    """Children start from a process that has imported everything already and has no threads."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "tests.imported", "bottega.testing", __name__])
    return context


FORKS = _forks()


def child(sitting: Sitting) -> ForkServerProcess:
    process = FORKS.Process(target=sitting.carry_out, daemon=True)
    process.start()
    return process


def ended(process: ForkServerProcess) -> int:
    """How a child ended: 0, or -9 when it was killed."""
    process.join(30)
    code = process.exitcode
    assert code is not None, "the child does not come to an end"
    process.close()
    return code
