"""What an `EventStore` promises."""

from __future__ import annotations

import pytest

from bottega.journal import Event, Journal, RecordConflict, new_id
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import begin, event


class EventContract(Contract):
    """Whoever watches a run sees each event once, in order, wherever it began to watch."""

    def test_events_are_read_back_as_they_were_added(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        plain = Event(run_id, 1, "2026-01-01T00:00:00.000000Z", "", "began")
        full = Event(run_id, 2, "2026-01-01T00:00:01.000000Z", "draft", "progress", "files", "a.py", 3, 7)
        journal.events.add([plain, full])
        assert second.events.after(run_id, 0) == [plain, full]

    def test_events_come_in_the_order_of_their_numbers_after_a_given_one(self, journal: Journal) -> None:
        run_id, other = begin(journal), begin(journal)
        journal.events.add([event(run_id, seq) for seq in (2, 1, 3)])
        journal.events.add([event(other, 1), event(run_id, 10), event(run_id, 4)])

        def after(seq: int, limit: int = 1000) -> list[int]:
            return [found.seq for found in journal.events.after(run_id, seq, limit)]

        assert after(0) == [1, 2, 3, 4, 10]
        assert after(2) == [3, 4, 10]
        assert after(0, limit=2) == [1, 2]
        assert after(10) == []

    def test_the_last_number_is_where_a_resumed_run_goes_on(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        assert journal.events.last(run_id) == 0
        journal.events.add([event(run_id, 1), event(run_id, 2)])
        assert second.events.last(run_id) == 2
        assert second.events.last(new_id()) == 0

    def test_a_number_that_is_taken_refuses_all_events_that_come_with_it(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.events.add([event(run_id, 1, text="first")])
        with pytest.raises(RecordConflict):
            journal.events.add([event(run_id, 2), event(run_id, 1, text="second")])
        with pytest.raises(RecordConflict):
            journal.events.add([event(run_id, 2), event(run_id, 2)])
        assert [found.text for found in journal.events.after(run_id, 0)] == ["first"]

    def test_events_of_no_run_are_refused(self, journal: Journal) -> None:
        with pytest.raises(RecordConflict):
            journal.events.add([event(new_id(), 1)])

    def test_no_events_are_no_mistake(self, journal: Journal) -> None:
        journal.events.add([])
        assert journal.events.after(begin(journal), 0) == []
