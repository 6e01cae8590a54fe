from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.journal import Enrichment, Journal, now

from .entries import begin, complete, send


def test_a_run_is_found_by_whole_id_by_beginning_by_ending_and_as_the_last(journal: Journal) -> None:
    first, second = begin(journal), begin(journal)
    assert journal.runs.get(first).id == first
    assert journal.runs.get(first[:-1]).id == first
    assert journal.runs.get(first[-12:]).id == first
    assert journal.runs.get(second[-12:]).id == second
    assert journal.runs.get("last").id == second


def test_a_part_that_fits_several_runs_is_refused_with_what_to_do(journal: Journal) -> None:
    shared, *_ = {begin(journal)[:2] for _ in range(7)}
    with pytest.raises(InputError, match=f"^{shared} fits several runs$") as caught:
        journal.runs.get(shared)
    assert caught.value.hint == "Give more characters of the id."


@pytest.mark.parametrize("name", ["", "last", "nonsense", "%", "_", "0198' OR 1=1 --", "ffffffff", "\ud800", "-" * 40])
def test_an_unknown_run_is_refused_with_where_to_look(journal: Journal, name: str) -> None:
    with pytest.raises(InputError, match="there is no run") as caught:
        journal.runs.get(name)
    assert caught.value.hint == "`bottega runs` lists them."


@pytest.mark.parametrize("name", ["", "nonsense", "%", "_", "\ud800"])
def test_a_name_that_is_no_id_finds_nothing_among_runs(journal: Journal, name: str) -> None:
    begin(journal)
    with pytest.raises(InputError, match="there is no run"):
        journal.runs.get(name)


def test_the_newest_come_first_and_can_be_chosen_by_status_and_by_pipeline_or_kind(journal: Journal) -> None:
    old = begin(journal, pipeline="mine", kind="write")
    middle = begin(journal, pipeline="write", kind="write")
    new = begin(journal, pipeline="review", kind="review")
    journal.runs.end(old, "done")
    journal.runs.end(new, "done")

    def newest(limit: int = 9, status: str | None = None, pipeline: str | None = None) -> list[str]:
        return [run.id for run in journal.runs.newest(limit, status=status, pipeline=pipeline)]

    assert newest() == [new, middle, old]
    assert newest(limit=2) == [new, middle]
    assert newest(status="done") == [new, old]
    assert newest(pipeline="write") == [middle, old]
    assert newest(pipeline="mine") == [old]
    assert newest(status="done", pipeline="write") == [old]
    assert newest(status="failed") == []


def test_collecting_keeps_runs_in_flight_and_the_newest(journal: Journal) -> None:
    running, *ended = [begin(journal) for _ in range(6)]
    for run_id in ended:
        journal.runs.end(run_id, "done")
    assert journal.runs.collect(before=now(), keep=2) == 3
    assert [run.id for run in journal.runs.newest(9)] == [*reversed(ended[-2:]), running]
    assert journal.runs.collect(before=now(), keep=2) == 0


def test_collecting_keeps_what_is_younger_than_the_date(journal: Journal) -> None:
    old = begin(journal)
    journal.runs.end(old, "failed")
    date = now()
    young = begin(journal)
    journal.runs.end(young, "failed")
    assert journal.runs.collect(before=date, keep=0) == 1
    assert [run.id for run in journal.runs.newest(9)] == [young]


def test_a_collected_run_takes_everything_under_it_along_but_what_is_known_of_models_and_files(
    journal: Journal, tmp_path: Path
) -> None:
    run_id = begin(journal)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    call_id = send(journal, run_id)
    journal.calls.attempt(call_id, 1, started_at=now(), error=None)
    complete(journal, call_id)
    journal.notes.decide(run_id, 1, "a", 1, "")
    journal.notes.validate(run_id, 1, "syntax", "passed", "")
    journal.notes.record_effect(run_id, 1, "tests", 0, 1)
    journal.notes.outcome(run_id, "accepted", "yes", "")
    session = journal.sessions.open(run_id)
    session.put({"a": 1})
    journal.sessions.archive(run_id, session)
    journal.facts.put("ollama/a", "window", 1)
    journal.enrichments.put(run_id, Enrichment("a.py", "0", "ollama/a", "1", {"purpose": "b"}, ""))
    journal.runs.end(run_id, "done")
    assert set(_rows(tmp_path).values()) == {1}

    assert journal.runs.collect(before=now(), keep=0) == 1

    assert {table for table, count in _rows(tmp_path).items() if count} == {"model_facts", "enrichments"}


def _rows(root: Path) -> dict[str, int]:
    database = sqlite3.connect(root / ".bottega" / "raw.sqlite")
    try:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    finally:
        database.close()
