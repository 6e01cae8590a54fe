"""Checks of a change that need no model. Each runs by itself: one that fails keeps no other from running."""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bottega.errors import BottegaError
from bottega.pipeline import fan_out
from bottega.review.findings import Finding

_PACKAGE = Path(__file__).resolve().parents[2]
_LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a check ended and what it found; `traceback` is set when it crashed, which is a bug in bottega."""

    name: str
    status: Literal["ran", "not run", "failed"]
    detail: str
    findings: tuple[Finding, ...] = ()
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A check that has not run yet."""

    name: str
    run: Callable[[], CheckResult]


def run_checks(jobs: Sequence[CheckJob], *, limit: int) -> list[CheckResult]:
    """The results in the order of the jobs, at most `limit` checks at once."""
    return [landed.value() for landed in fan_out(jobs, run_check, limit=limit)]


def run_check(job: CheckJob) -> CheckResult:
    """The check's result. A check that raises has failed, and a failed check keeps the review from accepting."""
    try:
        return job.run()
    except Exception as error:  # noqa: BLE001 - the bug is reported with its traceback, and the review is incomplete
        if _is_expected(error):
            return CheckResult(job.name, "failed", str(error))
        return CheckResult(job.name, "failed", describe_crash(error), traceback="".join(_format(error)))


def _is_expected(error: Exception) -> bool:
    """What the machine may do to a check: no sandbox, a disk that fails, an index that is damaged or in use."""
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
        return False
    return isinstance(error, BottegaError | OSError | sqlite3.DatabaseError)


def describe_crash(error: Exception) -> str:
    """The type, the message and the innermost line of this package, in one line."""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_MESSAGE]
    return f"it crashed with {said} at {_locate(error)}: this is a bug in bottega, please report it"


def _locate(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    frame = (own or frames)[-1]
    path = Path(frame.filename)
    return f"{path.relative_to(_PACKAGE) if own else path.name}:{frame.lineno}"


def _format(error: Exception) -> Iterable[str]:
    return traceback.format_exception(error)
