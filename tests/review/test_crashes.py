"""A check that crashes is a bug of ours: the review shows it, records it, and never accepts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from bottega.errors import SandboxError, StorageError
from bottega.journal import new_id
from bottega.pipeline import EventLog, Kind
from bottega.review import REVIEW, ReviewReport, ReviewRequest
from bottega.review.checks import CheckJob, CheckResult, run_check, run_checks
from bottega.review.dangers import find_danger_language, find_dangers
from bottega.review.dangers.check import check_dangers
from bottega.review.parsing import check_parsing
from bottega.review.surroundings import Surroundings
from bottega.review.tools import ReviewTools
from bottega.review.tree import Tree
from bottega.source import parse_diff
from bottega.source.tree import RepositoryFiles
from bottega.workshop import Workshop
from bottega.workshop.invocation import Invocation
from tests.review.till import BEFORE, build, panel, reviewed, shop, write

HARMLESS = {"till/cash.py": BEFORE["till/cash.py"].replace("paid - due", "paid - due - 0")}


class BrokenSurroundings(Surroundings):
    """An index whose lookups have a bug."""

    def impact(self, *_: object) -> NoReturn:
        return {}["ghp_" + "a1B2" * 9]  # type: ignore[misc]  # it raises


class BusySurroundings(Surroundings):
    """An index that is in use by another process."""

    def impact(self, *_: object) -> NoReturn:
        raise sqlite3.OperationalError("database is locked")

    companions = impact  # type: ignore[assignment]  # it raises


class OtherIndex(Invocation):
    """A call of a verb whose index is another one."""

    make: type[Surroundings]

    def with_files(self, files: RepositoryFiles) -> OtherIndex:
        other = OtherIndex(self._workshop, self._events)
        other.make = self.make
        return other

    @contextmanager
    def _open_tools(self, kind: Kind) -> Iterator[ReviewTools]:
        with kind.open_tools(self) as tools, self.make(self.knowledge) as surroundings:
            yield replace(tools, surroundings=surroundings)


def review_with(workshop: Workshop, surroundings: type[Surroundings]) -> tuple[ReviewReport, list[str]]:
    """A review whose index is another one; what it tells whoever waits."""
    events = EventLog(new_id())
    house = OtherIndex(workshop, events)
    house.make = surroundings
    report = REVIEW.run(ReviewRequest(pipeline="review"), house).report
    events.close()
    return report, [event.text for event in events.follow()]


def test_a_check_that_crashes_leaves_the_review_incomplete_and_the_others_running(tmp_path: Path) -> None:
    root = build(tmp_path / "shop", after=HARMLESS)
    workshop = shop(root, panel())
    try:
        report, told = review_with(workshop, BrokenSurroundings)
        notes = workshop.journal.notes.of_run(report.run)
    finally:
        workshop.close()
    checks = {check.name: check for check in report.checks}
    assert checks["impact"].status == "failed"
    assert checks["impact"].detail.startswith("it crashed with KeyError")
    assert "bottega/review/actions/analysing.py:" in checks["impact"].detail
    assert "please report it" in checks["impact"].detail
    assert checks["co-change"].status == checks["parse"].status == "ran"
    assert (report.decision, report.complete) == ("NEEDS_HUMAN", False)
    assert any(gap.startswith("impact: it crashed") for gap in report.gaps)
    recorded = [note.reason for note in notes if note.what == "validation" and note.name == "impact"]
    assert recorded
    assert "Traceback (most recent call last)" in recorded[0]
    assert any("the check impact crashed, which is a bug: please report" in line for line in told)
    assert "ghp_a1B2" not in recorded[0] + checks["impact"].detail


def test_an_index_in_use_is_no_bug(tmp_path: Path) -> None:
    root = build(tmp_path / "shop", after=HARMLESS)
    workshop = shop(root, panel())
    try:
        report, _ = review_with(workshop, BusySurroundings)
    finally:
        workshop.close()
    checks = {check.name: check for check in report.checks}
    for name in ("impact", "co-change"):
        assert (checks[name].status, checks[name].detail) == ("failed", "database is locked")
    assert not report.complete


@pytest.mark.parametrize(
    "error",
    [
        SandboxError("nothing safe here"),
        StorageError("the disk is full"),
        PermissionError(13, "Permission denied"),
        sqlite3.DatabaseError("file is not a database"),
    ],
)
def test_what_the_machine_does_to_a_check_is_said_in_its_own_words(error: Exception) -> None:
    result = run_check(CheckJob("x", _raising(error)))
    assert (result.status, result.detail, result.traceback) == ("failed", str(error), "")


@pytest.mark.parametrize("error", [ValueError("bad"), RecursionError(), sqlite3.ProgrammingError("closed")])
def test_anything_else_is_a_bug(error: Exception) -> None:
    result = run_check(CheckJob("x", _raising(error)))
    assert result.status == "failed"
    assert type(error).__name__ in result.detail
    assert type(error).__name__ in result.traceback


def test_an_interrupt_is_no_failed_check() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_checks([CheckJob("x", _raising(KeyboardInterrupt()))], limit=1)


def _raising(error: BaseException) -> Callable[[], CheckResult]:
    def check() -> CheckResult:
        raise error

    return check


@pytest.mark.parametrize("depth", [5, 300, 3000])
def test_deep_nesting_neither_crashes_the_queries_nor_hides_a_call(depth: int) -> None:
    language = find_danger_language("a.py")
    assert language is not None
    text = "import os\nos.system(" + '"{}".format(' * depth + "x" + ")" * depth + ")\n"
    found = find_dangers(text, language)
    assert found is not None
    assert [danger.rule.id for danger in found] == ["python-shell"]


def test_a_fault_behind_bare_carriage_returns_is_reported_on_a_line_of_the_diff() -> None:
    text = "a = 1\rb = 2\rc = (\r"
    diff = parse_diff(
        f"diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+{text}\n"
    )
    tree = Tree(Path("/nowhere"), lambda _: text + "\n", is_here=False)
    result = check_parsing(diff.files, tree)
    assert [finding.span.first for finding in result.findings] == [1]
    assert check_dangers(diff.files, tree).status == "ran"


def test_dismissals_that_cannot_be_read_leave_the_review_incomplete(tmp_path: Path) -> None:
    root = build(tmp_path / "shop", after=HARMLESS)
    workshop = shop(root, panel())
    try:
        reviewed(workshop)
        write(root, {".bottega/reviews/dismissals.json": "{"})
        with pytest.raises(StorageError):
            workshop.journal.dismissals.all()
        report = reviewed(workshop)
        workshop.replay(report.run).result()
    finally:
        workshop.close()
    assert not report.complete
    assert any(gap.startswith("dismissals:") for gap in report.gaps)
