"""Directories that a model is not sure of are looked at again; flags are kept as soon as they are raised."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bottega.investigate import InvestigateRequest
from bottega.investigate.confidence import low_confidence_entries
from bottega.investigate.entries import DirEntry
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.workshop import Workshop
from tests.investigate.museum import Visitor, build, calls, submit, visit, workshop

LONG = {f"hall/room_{number}.py": f"def tour_{number}():\n    return {number}\n" * 3000 for number in range(12)}
FLAG = {"tool": "flag", "path": "hall/door.py", "finding": "anybody gets in", "severity": "critical", "line": 5}
QUOTE = 'return ticket == "paid"'
DOOR = {**FLAG, "quote": QUOTE}


def describe(summary: str, confidence: float) -> dict[str, Any]:
    return {"tool": "write_cache", "kind": "dir", "path": ".", "summary": summary, "confidence": confidence}


def entry(path: str, confidence: float | None) -> DirEntry:
    return DirEntry(
        relative_path=path,
        key="k",
        child_count=1,
        summary="a room",
        dominant_category="source",
        confidence=confidence,
        cached_at="2026-01-01T00:00:00Z",
    )


def test_the_least_sure_come_first_and_no_confidence_counts_as_none() -> None:
    entries = {one.relative_path: one for one in (entry("a/", 0.69), entry("b/", 0.7), entry("c/", None))}
    assert [one.relative_path for one in low_confidence_entries(entries)] == ["c/", "a/"]
    assert [one.relative_path for one in low_confidence_entries(entries, 0.9)] == ["c/", "a/", "b/"]


class Doubter(Visitor):
    """Describes the hall twice: unsure at first, then with `second` confidence."""

    def __init__(self, second: float) -> None:
        def reply(request: Request, path: str) -> Line:
            if path != "hall/":
                return calls(describe("a room", 0.9), submit("a room"))
            if "You described this directory before" in request.text():
                return calls(DOOR, describe("the tours", second), submit("the tours"))
            return calls(describe("maybe tours", 0.4), submit("maybe tours"))

        super().__init__(reply)


@pytest.mark.parametrize(("second", "summary"), [(0.9, "the tours"), (0.2, "maybe tours")])
def test_a_second_look_replaces_what_it_knows_better(tmp_path: Path, second: float, summary: str) -> None:
    visitor = Doubter(second)
    report = visit(build(tmp_path, {**LONG, "hall/door.py": "x = 1\n" * 4 + QUOTE}), visitor)
    hall = next(directory for directory in report.directories if directory.path == "hall/")
    assert visitor.asked().count("hall/") == 2
    assert "maybe tours" in visitor.prompts("hall/")[1]
    assert hall.summary == summary
    assert hall.turns == 2
    assert [flag.finding for flag in report.flags if flag.severity == "critical"] == ["anybody gets in"]


def test_what_was_seen_in_full_is_not_looked_at_again(tmp_path: Path) -> None:
    visitor = Visitor(lambda _, path: calls(describe("a room", 0.3), submit(f"the room {path}")))
    visit(build(tmp_path), visitor)
    assert visitor.asked().count("hall/attic/") == 1


def remarks(house: Workshop, target: Path) -> list[str]:
    handle = house.start(InvestigateRequest(target=target, pipeline="investigate"))
    return [event.text for event in handle.events() if event.kind == "remark"]


def test_a_flag_is_shown_and_stored_as_soon_as_it_is_raised(tmp_path: Path) -> None:
    build(tmp_path)
    stored: list[int] = []

    def reply(request: Request, path: str) -> Line:
        if path != "hall/":
            return calls(submit(f"the room {path}"))
        if request.messages[-1].text.endswith("flagged"):
            logs = tmp_path.glob(".bottega/investigations/*/flags.jsonl")
            stored.append(sum(len(log.read_text().splitlines()) for log in logs))
            return calls(submit("the hall"))
        return calls(DOOR)

    with workshop(tmp_path, Visitor(reply)) as house:
        shown = remarks(house, tmp_path)
    assert stored == [1]
    assert "critical: hall/door.py:5: anybody gets in" in shown


def test_a_flag_counts_even_beside_the_last_submission(tmp_path: Path) -> None:
    """In the last turn a model is asked to submit; what it reports with it is not lost."""

    def reply(request: Request, path: str) -> Line:
        if path != "hall/":
            return calls(submit(f"the room {path}"))
        if "Now call submit_report" in request.messages[-1].text:
            return calls(DOOR, submit("the hall"))
        return calls({"tool": "think", "observation": "hm"})

    report = visit(build(tmp_path), Visitor(reply))
    assert [flag.place for flag in report.flags if flag.severity == "critical"] == ["hall/door.py:5"]


def test_imports_between_directories_reach_the_report(tmp_path: Path) -> None:
    build(tmp_path, {"app/main.py": "from lib import tools\n", "lib/tools.py": "x = 1\n", "lib/__init__.py": ""})
    plain = Visitor()
    assert visit(tmp_path, plain).imports == ()
    assert "(not known)" in plain.requests[-1].text()
    for command in (["init", "-q"], ["add", "app", "lib"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    visitor = Visitor()
    report = visit(tmp_path, visitor, fresh=True)
    assert [(edge.source, edge.target, edge.count) for edge in report.imports] == [("app/", "lib/", 1)]
    assert "app/ imports lib/ (1 file)" in visitor.requests[-1].text()


def test_the_report_says_what_it_cost(tmp_path: Path) -> None:
    build(tmp_path)
    free = visit(tmp_path, Visitor())
    priced = visit(tmp_path, Visitor(), "prices.scripted/model.input=2", "prices.scripted/model.output=4", fresh=True)
    assert priced.cost is not None
    assert priced.cost > 0
    assert f"${priced.cost:.2f}" in priced.spent
    assert free.cost in {None, 0.0}
