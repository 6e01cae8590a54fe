"""What is left when a process is killed between two writes."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from bottega.journal import Journal
from bottega.testing.journal_contract.factory import Contract, JournalFactory
from bottega.testing.journal_contract.samples import (
    begin,
    complete,
    dismissal,
    event,
    history_record,
    send,
    turn,
)


class CrashContract(Contract):
    """Every write that returned outlives its process; what was under way can be told from what is done."""

    def test_a_call_that_was_sent_is_still_known_as_sent(self, factory: JournalFactory) -> None:
        run_id = _begin_run(factory)
        factory.crash_after(partial(send_calls, run_id))
        with closing(factory.open()) as journal:
            done, sent = journal.calls.of_run(run_id)
            assert (done.status, done.reply) == ("completed", "sorted(x)")
            assert (sent.status, sent.reply, sent.ended_at) == ("sent", None, None)

    def test_a_run_is_still_running_and_can_be_claimed_and_resumed(self, factory: JournalFactory) -> None:
        run_id = _begin_run(factory)
        factory.crash_after(partial(carry_out_half, run_id))
        with closing(factory.open()) as journal:
            assert journal.runs.get(run_id).status == "running"
            assert not journal.sessions.is_alive(run_id)
            assert [step.status for step in journal.runs.steps(run_id)] == ["done", "running"]
            assert journal.notes.effect(run_id, 2, "tests", 0) == '"3 passed"'
            assert [found.seq for found in journal.events.after(run_id, 0)] == [1, 2]
            session = journal.sessions.open(run_id)
            assert (session.get("position"), session.get("state")) == (1, {"code": "x"})
            session.close()

    def test_a_run_of_a_dead_process_is_collected_as_interrupted(self, factory: JournalFactory) -> None:
        run_id = _begin_run(factory)
        factory.crash_after(partial(carry_out_half, run_id))
        with closing(factory.open()) as journal:
            assert journal.collect(before="9999", keep=1) == 0
            assert journal.runs.get(run_id).status == "interrupted"
            assert journal.collect(before="9999", keep=0) == 1
            assert not journal.sessions.exists(run_id)

    def test_a_review_without_its_result_is_not_listed_and_keeps_its_number(self, factory: JournalFactory) -> None:
        factory.crash_after(begin_review)
        with closing(factory.open()) as journal:
            assert journal.reviews.ids() == []
            assert journal.reviews.begin().endswith("/002")

    def test_documents_that_were_stored_stay(self, factory: JournalFactory) -> None:
        factory.crash_after(store_documents)
        with closing(factory.open()) as journal:
            assert [known.run for known in journal.chats.get("port").turns] == ["r1"]
            assert [known.mark for known in journal.dismissals.in_force()] == ["m1"]
            assert [known["mode"] for known in journal.history.newest()] == ["reviewed"]
            name = journal.investigations.open("/target")
            assert journal.investigations.entry(name, "files", "a.py") == {"relative_path": "a.py"}
            assert journal.facts.get("ollama/a", "window") == 4096


def _begin_run(factory: JournalFactory) -> str:
    with closing(factory.open()) as journal:
        return begin(journal)


def send_calls(run_id: str, journal: Journal) -> None:
    complete(journal, send(journal, run_id))
    send(journal, run_id, nth=1)


def carry_out_half(run_id: str, journal: Journal) -> object:
    session = journal.sessions.open(run_id)
    journal.runs.begin_step(run_id, 1, "draft", "call_coder")
    journal.events.add([event(run_id, 1, "began"), event(run_id, 2, "ended")])
    session.put({"position": 1, "state": {"code": "x"}})
    journal.runs.end_step(run_id, 1, outcome="draft")
    journal.runs.begin_step(run_id, 2, "test", "run_tests")
    journal.notes.record_effect(run_id, 2, "tests", 0, "3 passed")
    return session


def begin_review(journal: Journal) -> None:
    journal.reviews.write(journal.reviews.begin(), {"change.diff": "+x\n"})


def store_documents(journal: Journal) -> None:
    journal.chats.add("port", turn("r1"))
    journal.dismissals.add(dismissal())
    journal.history.append(history_record())
    name = journal.investigations.open("/target")
    journal.investigations.put(name, "files", "a.py", {"relative_path": "a.py"})
    journal.facts.put("ollama/a", "window", 4096)
