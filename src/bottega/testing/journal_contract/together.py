"""What several threads and processes may do at once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from bottega.journal import Journal
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.processes import Opener, work_together
from bottega.testing.journal_contract.samples import begin, complete, event, history_record, send, turn

_PROCESSES = 3
_EACH = 10


class TogetherContract(Contract):
    """Nothing that is written at the same time is lost, repeated or mixed up."""

    def test_threads_share_a_journal(self, journal: Journal) -> None:
        run_id = begin(journal)

        def work(nth: int) -> str:
            complete(journal, send(journal, run_id, nth=nth), text=str(nth))
            journal.notes.decide(run_id, 1, "number", nth, "")
            journal.events.add([event(run_id, nth + 1)])
            journal.chats.add("port", turn(f"run {nth}"))
            return journal.reviews.begin()

        with ThreadPoolExecutor(8) as pool:
            reviews = list(pool.map(work, range(100)))
        numbers = list(range(100))
        assert sorted(int(call.reply or "") for call in journal.calls.of_run(run_id)) == numbers
        assert sorted(int(note.value) for note in journal.notes.of_run(run_id)) == numbers
        assert [found.seq - 1 for found in journal.events.after(run_id, 0)] == numbers
        assert len(journal.chats.get("port").turns) == len(set(reviews)) == 100

    def test_processes_that_write_at_once_lose_and_repeat_nothing(self, opener: Opener) -> None:
        work_together(opener, write_everything, _PROCESSES)
        journal = opener()
        runs = journal.runs.newest(99)
        calls = [call for run in runs for call in journal.calls.of_run(run.id)]
        expected = Counter(f"{worker}:{nth}" for worker in range(_PROCESSES) for nth in range(_EACH))
        assert sorted(run.pipeline for run in runs) == [f"worker {number}" for number in range(_PROCESSES)]
        assert Counter(call.reply for call in calls) == expected
        assert Counter(known.run for known in journal.chats.get("port").turns) == expected
        assert Counter(known["original_prompt"] for known in journal.history.newest()) == expected
        assert len(journal.reviews.ids()) == _PROCESSES * _EACH
        assert len(journal.investigations.all()) == 1
        journal.close()


def write_everything(journal: Journal, worker: int) -> None:
    run_id = begin(journal, pipeline=f"worker {worker}")
    journal.investigations.open("/target")
    for nth in range(_EACH):
        text = f"{worker}:{nth}"
        complete(journal, send(journal, run_id, nth=nth), text=text)
        journal.chats.add("port", turn(text))
        journal.history.append(history_record(original_prompt=text))
        journal.reviews.write(journal.reviews.begin(), {"result.json": "{}"})
