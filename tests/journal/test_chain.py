from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from bottega.journal import CallPlace, Journal, Usage, now

from .entries import begin, complete, only_call, send


def test_the_whole_chain_of_a_run_is_read_back(journal: Journal) -> None:
    run_id = begin(journal)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    call_id = send(journal, run_id)
    journal.calls.attempt(call_id, 1, started_at=now(), error="429")
    journal.calls.attempt(call_id, 2, started_at=now(), error=None)
    complete(journal, call_id, tool_calls=[{"id": "1", "name": "read", "arguments": {"path": "a.py"}}])
    journal.calls.rule(call_id, "accepted", "parses")
    journal.notes.decide(run_id, 1, "escalate", {"to": "reviewer"}, "confidence 5")
    journal.notes.validate(run_id, 1, "syntax", "passed", "python")
    journal.notes.record_effect(run_id, 1, "tests", 0, {"passed": 3})
    journal.runs.end_step(run_id, 1, outcome="draft")
    journal.runs.end(run_id, "done", final_state={"code": "sorted(x)"})
    journal.notes.outcome(run_id, "accepted", "yes", "merged")

    run = journal.runs.get(run_id)
    assert (run.pipeline, run.kind, run.status, run.version) == ("write", "write", "done", "1")
    assert json.loads(run.input) == {"prompt": "sort a list"}
    assert json.loads(run.final_state or "") == {"code": "sorted(x)"}
    assert run.ended_at is not None
    assert run.created_at < run.ended_at
    (step,) = journal.runs.steps(run_id)
    assert (step.step_id, step.action, step.status, step.outcome) == ("draft", "call_coder", "done", "draft")
    call = only_call(journal, run_id)
    assert (call.status, call.reply, call.thinking, call.verdict) == ("completed", "sorted(x)", "hm", "accepted")
    assert json.loads(call.tool_calls or "")[0]["arguments"] == {"path": "a.py"}
    assert [(note.what, note.name, note.value, note.reason) for note in journal.notes.of_run(run_id)] == [
        ("decision", "escalate", '{"to": "reviewer"}', "confidence 5"),
        ("validation", "syntax", "passed", "python"),
        ("effect", "tests", '{"passed": 3}', ""),
        ("outcome", "accepted", "yes", "merged"),
    ]


def test_a_call_is_sent_until_it_is_completed_or_failed(journal: Journal) -> None:
    run_id = begin(journal)
    first, second = send(journal, run_id), send(journal, run_id, nth=1)
    place = CallPlace(run_id, 1, "h", 0)
    assert [call.status for call in journal.calls.of_run(run_id)] == ["sent", "sent"]
    assert journal.calls.completed(place) is None
    complete(journal, first)
    journal.calls.fail(second, "it broke")
    done, failed = journal.calls.of_run(run_id)
    assert (done.status, failed.status, failed.error, failed.reply) == ("completed", "failed", "it broke", None)
    assert journal.calls.completed(place) == done
    assert journal.calls.completed(CallPlace(run_id, 1, "h", 1)) is None


def send_and_be_killed(root: str, run_id: str) -> None:
    send(Journal(Path(root), environ={}), run_id)
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_call_written_ahead_outlives_its_writer(journal: Journal, tmp_path: Path) -> None:
    run_id = begin(journal)
    writer = multiprocessing.get_context("spawn").Process(target=send_and_be_killed, args=(str(tmp_path), run_id))
    writer.start()
    writer.join()
    assert writer.exitcode == -signal.SIGKILL
    assert only_call(journal, run_id).status == "sent"


def test_a_step_that_starts_over_keeps_its_place_and_loses_its_notes(journal: Journal) -> None:
    run_id = begin(journal)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    journal.notes.decide(run_id, 1, "escalate", True, "first time")
    journal.notes.validate(run_id, 1, "syntax", "failed", "first time")
    journal.notes.record_effect(run_id, 1, "tests", 0, "kept")
    journal.runs.end_step(run_id, 1, error="cut off")
    assert journal.runs.steps(run_id)[0].status == "failed"

    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    journal.notes.forget_step(run_id, 1)

    (step,) = journal.runs.steps(run_id)
    assert (step.status, step.error, step.ended_at) == ("running", None, None)
    assert [note.what for note in journal.notes.of_run(run_id)] == ["effect"]
    assert journal.notes.effect(run_id, 1, "tests", 0) == '"kept"'
    assert journal.notes.effect(run_id, 1, "tests", 1) is None


def test_a_failed_run_is_reopened_without_its_error(journal: Journal) -> None:
    run_id = begin(journal)
    journal.runs.end(run_id, "failed", error="no model")
    assert journal.runs.get(run_id).error == "no model"
    journal.runs.reopen(run_id)
    run = journal.runs.get(run_id)
    assert (run.status, run.error, run.ended_at) == ("running", None, None)


def test_a_later_outcome_of_one_name_replaces_the_earlier(journal: Journal) -> None:
    run_id = begin(journal)
    journal.notes.outcome(run_id, "accepted", "yes", "")
    journal.notes.outcome(run_id, "accepted", "no", "reverted")
    assert [(note.name, note.value) for note in journal.notes.of_run(run_id)] == [("accepted", "no")]


def test_usage_counts_completed_calls_and_an_unknown_price_stays_unknown(journal: Journal) -> None:
    run_id = begin(journal)
    assert journal.runs.usage(run_id) == Usage(0, 0, 0, 0.0)
    complete(journal, send(journal, run_id), cost=0.25)
    journal.calls.fail(send(journal, run_id, nth=1), "no")
    assert journal.runs.usage(run_id) == Usage(1, 10, 5, 0.25)
    complete(journal, send(journal, run_id, nth=2), cost=None)
    assert journal.runs.usage(run_id) == Usage(2, 20, 10, None)


def test_facts_of_a_model_are_replaced_and_forgotten(journal: Journal) -> None:
    assert journal.facts.get("ollama/a", "window") is None
    journal.facts.put("ollama/a", "window", 4096)
    journal.facts.put("ollama/a", "window", 8192)
    journal.facts.put("ollama/b", "schema", {"works": True})
    assert journal.facts.get("ollama/a", "window") == 8192
    journal.facts.forget("ollama/a")
    assert journal.facts.get("ollama/a", "window") is None
    assert journal.facts.get("ollama/b", "schema") == {"works": True}


def test_a_mistake_of_the_caller_is_not_called_damage_and_leaves_nothing_behind(journal: Journal) -> None:
    run_id = begin(journal)
    journal.notes.record_effect(run_id, 1, "tests", 0, "first")
    with pytest.raises(sqlite3.IntegrityError):
        journal.notes.record_effect(run_id, 1, "tests", 0, "second")
    with pytest.raises(sqlite3.IntegrityError):
        send(journal, "no-such-run")
    assert journal.notes.effect(run_id, 1, "tests", 0) == '"first"'
    complete(journal, send(journal, run_id))


def test_any_text_is_kept(journal: Journal) -> None:
    run_id = begin(journal)
    text = "a\x00b \u2028 \U0001f600 " + "é" * 1_000_000
    call_id = send(journal, run_id, text=text)
    complete(journal, call_id, text=text)
    assert only_call(journal, run_id).reply == text
    assert json.loads(only_call(journal, run_id).request)["messages"][0]["content"] == text


def test_lone_surrogates_do_no_harm(journal: Journal) -> None:
    run_id = begin(journal, text="cut \ud83d here")
    complete(journal, send(journal, run_id, text="\udcff"), text="x\ud800", thinking="\udfff")
    journal.runs.end(run_id, "failed", error="\ud800")
    assert json.loads(journal.runs.get(run_id).input) == {"prompt": "cut \ufffd here"}
    assert only_call(journal, run_id).reply == "x\ufffd"
