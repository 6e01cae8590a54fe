"""What a `RunStore` promises, and what collecting old runs removes."""

from __future__ import annotations

import json

import pytest

from bottega.errors import InputError
from bottega.journal import Enrichment, Journal, RecordConflict, Usage, new_id, now
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import begin, complete, end, event, send


class RunContract(Contract):
    """Runs and steps are found again as they were recorded, in order."""

    def test_a_run_is_read_back_as_it_was_recorded(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal, pipeline="mine", kind="write")
        journal.runs.end(run_id, "done", final_state={"code": "sorted(x)"})
        run = second.runs.get(run_id)
        assert (run.id, run.pipeline, run.kind, run.status, run.version) == (run_id, "mine", "write", "done", "1")
        assert json.loads(run.definition) == {"name": "mine", "note": "sort a list"}
        assert (json.loads(run.input), json.loads(run.settings)) == ({"prompt": "sort a list"}, {"note": "sort a list"})
        assert (json.loads(run.final_state or ""), run.error) == ({"code": "sorted(x)"}, None)
        assert run.ended_at is not None
        assert run.created_at <= run.ended_at

    def test_a_run_takes_an_id_that_the_caller_chose_once(self, journal: Journal) -> None:
        chosen = new_id()
        assert begin(journal, run_id=chosen, text="first") == chosen
        with pytest.raises(RecordConflict):
            begin(journal, run_id=chosen, text="second")
        assert json.loads(journal.runs.get(chosen).input) == {"prompt": "first"}

    @pytest.mark.parametrize("status", ["done", "failed", "interrupted", "cancelled"])
    def test_a_run_ends_in_each_status_and_can_be_reopened(self, journal: Journal, status: str) -> None:
        run_id = begin(journal)
        assert journal.runs.get(run_id).status == "running"
        journal.runs.end(run_id, status, error="no model")
        assert (journal.runs.get(run_id).status, journal.runs.get(run_id).error) == (status, "no model")
        journal.runs.reopen(run_id)
        run = journal.runs.get(run_id)
        assert (run.status, run.error, run.ended_at) == ("running", None, None)

    def test_a_status_that_does_not_exist_is_refused(self, journal: Journal) -> None:
        run_id = begin(journal)
        with pytest.raises(RecordConflict):
            journal.runs.end(run_id, "forgotten")
        assert journal.runs.get(run_id).status == "running"

    def test_a_run_is_found_by_id_prefix_suffix_and_as_the_last(self, journal: Journal) -> None:
        first, second = begin(journal), begin(journal)
        names = (first, first[:-1], first[-12:], second[-12:], "last")
        assert [journal.runs.get(name).id for name in names] == [first, first, first, second, second]
        assert journal.runs.exists(first)
        assert not journal.runs.exists(first[:-1])

    def test_a_part_of_several_ids_is_refused(self, journal: Journal) -> None:
        shared, *_ = {begin(journal)[:2] for _ in range(7)}
        with pytest.raises(InputError, match=f"^{shared} fits several runs$") as caught:
            journal.runs.get(shared)
        assert caught.value.hint == "Give more characters of the id."

    @pytest.mark.parametrize("name", ["", "nonsense", "%", "_", "0198' OR 1=1 --", "ffffffff", "\ud800", "-" * 40])
    def test_an_unknown_run_is_refused_with_a_hint(self, journal: Journal, name: str) -> None:
        with pytest.raises(InputError, match="there is no run last"):
            journal.runs.get("last")
        begin(journal)
        with pytest.raises(InputError, match="there is no run") as caught:
            journal.runs.get(name)
        assert caught.value.hint == "`bottega runs` lists them."

    def test_the_newest_runs_come_first_and_are_filtered(self, journal: Journal) -> None:
        old = begin(journal, pipeline="mine", kind="write")
        middle = begin(journal, pipeline="write", kind="write")
        new = begin(journal, pipeline="review", kind="review")
        end(journal, old, new)

        def newest(limit: int = 9, status: str | None = None, pipeline: str | None = None) -> list[str]:
            return [run.id for run in journal.runs.newest(limit, status=status, pipeline=pipeline)]

        assert newest() == [new, middle, old]
        assert newest(limit=2) == [new, middle]
        assert newest(status="done") == [new, old]
        assert newest(pipeline="write") == [middle, old]
        assert newest(pipeline="mine") == [old]
        assert newest(status="done", pipeline="write") == [old]
        assert newest(status="cancelled") == []

    def test_steps_come_in_the_order_of_their_numbers(self, journal: Journal) -> None:
        run_id = begin(journal)
        for seq in (2, 10, 1):
            journal.runs.begin_step(run_id, seq, f"step {seq}", "call_coder")
        journal.runs.end_step(run_id, 1, outcome="draft")
        journal.runs.end_step(run_id, 2, error="cut off")
        steps = [(step.seq, step.step_id, step.status, step.outcome, step.error) for step in journal.runs.steps(run_id)]
        assert steps == [
            (1, "step 1", "done", "draft", None),
            (2, "step 2", "failed", None, "cut off"),
            (10, "step 10", "running", None, None),
        ]

    def test_a_step_that_starts_over_keeps_its_number(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.runs.begin_step(run_id, 1, "draft", "call_coder")
        journal.runs.end_step(run_id, 1, error="cut off")
        journal.runs.begin_step(run_id, 1, "draft", "call_coder")
        (step,) = journal.runs.steps(run_id)
        assert (step.status, step.error, step.ended_at) == ("running", None, None)

    def test_a_step_of_no_run_is_refused(self, journal: Journal) -> None:
        with pytest.raises(RecordConflict):
            journal.runs.begin_step(new_id(), 1, "draft", "call_coder")

    def test_usage_counts_completed_calls_and_an_unknown_price_stays_unknown(self, journal: Journal) -> None:
        run_id = begin(journal)
        assert journal.runs.usage(run_id) == Usage(0, 0, 0, 0.0)
        complete(journal, send(journal, run_id), cost=0.25)
        journal.calls.fail(send(journal, run_id, nth=1), "no")
        send(journal, run_id, nth=2)
        assert journal.runs.usage(run_id) == Usage(1, 10, 5, 0.25)
        complete(journal, send(journal, run_id, nth=3), cost=None)
        assert journal.runs.usage(run_id) == Usage(2, 20, 10, None)


class CollectContract(Contract):
    """Old runs are deleted with everything that belongs to them; what is known of models and files stays."""

    def test_running_runs_and_the_newest_are_kept(self, journal: Journal) -> None:
        running, *ended = [begin(journal) for _ in range(6)]
        end(journal, *ended)
        assert journal.runs.collect(before=now(), keep=2) == 3
        assert [run.id for run in journal.runs.newest(9)] == [*reversed(ended[-2:]), running]
        assert journal.runs.collect(before=now(), keep=2) == 0

    def test_runs_begun_later_are_kept(self, journal: Journal) -> None:
        old = begin(journal)
        moment = now()
        young = begin(journal)
        end(journal, old, young)
        assert journal.runs.collect(before=moment, keep=0) == 1
        assert [run.id for run in journal.runs.newest(9)] == [young]

    def test_a_collected_run_takes_along_what_belongs_to_it(self, journal: Journal, second: Journal) -> None:
        run_id, other = begin(journal), begin(journal)
        for run in (run_id, other):
            journal.runs.begin_step(run, 1, "draft", "call_coder")
            call_id = send(journal, run)
            journal.calls.attempt(call_id, 1, started_at=now(), error=None)
            complete(journal, call_id)
            journal.notes.decide(run, 1, "escalate", 1, "")
            journal.notes.validate(run, 1, "syntax", "passed", "")
            journal.notes.record_effect(run, 1, "tests", 0, 1)
            journal.notes.outcome(run, "accepted", "yes", "")
            journal.events.add([event(run, 1)])
            journal.sessions.archive(run, journal.sessions.open(run))
        journal.facts.put("ollama/a", "window", 1)
        journal.enrichments.put(run_id, Enrichment("a.py", "0", "ollama/a", "1", {"purpose": "b"}, ""))
        end(journal, run_id)

        assert second.runs.collect(before=now(), keep=0) == 1

        assert not journal.runs.exists(run_id)
        begin(journal, run_id=run_id)
        counts = []
        for run in (run_id, other):
            rows = (journal.runs.steps(run), journal.calls.of_run(run), journal.notes.of_run(run))
            counts.append([len(found) for found in (*rows, journal.events.after(run, 0))])
        assert counts == [[0, 0, 0, 0], [1, 1, 4, 1]]
        assert journal.facts.get("ollama/a", "window") == 1
        assert len(journal.enrichments.newest()) == 1

    def test_the_journal_collects_dead_runs_and_their_sessions_but_no_claimed_one(self, journal: Journal) -> None:
        dead, claimed, kept = (begin(journal) for _ in range(3))
        journal.sessions.open(dead).close()
        session = journal.sessions.open(claimed)
        assert journal.collect(before="9999", keep=1) == 1
        assert [run.id for run in journal.runs.newest(9)] == [kept, claimed]
        assert (journal.runs.get(kept).status, journal.runs.get(claimed).status) == ("interrupted", "running")
        assert (journal.sessions.exists(dead), journal.sessions.exists(claimed)) == (False, True)
        session.close()
