"""What a `RunStore` promises about requests to cancel."""

from __future__ import annotations

import pytest

from bottega.errors import InputError
from bottega.journal import Journal, new_id
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import begin


class CancelContract(Contract):
    """A request from anywhere reaches whoever carries the run out."""

    def test_a_request_is_seen_by_whoever_opened_the_records(self, journal: Journal, second: Journal) -> None:
        run_id, other = begin(journal), begin(journal)
        assert not journal.runs.is_cancel_requested(run_id)
        second.runs.request_cancel(run_id)
        assert journal.runs.is_cancel_requested(run_id)
        assert not journal.runs.is_cancel_requested(other)
        assert journal.runs.get(run_id).status == "running"

    def test_a_second_request_changes_nothing(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.runs.request_cancel(run_id)
        first = journal.runs.get(run_id).cancel_requested_at
        journal.runs.request_cancel(run_id)
        assert first is not None
        assert journal.runs.get(run_id).cancel_requested_at == first

    def test_the_request_is_still_known_when_the_run_has_ended(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.runs.request_cancel(run_id)
        journal.runs.end(run_id, "cancelled")
        assert journal.runs.is_cancel_requested(run_id)

    def test_a_reopened_run_has_no_request(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.runs.request_cancel(run_id)
        journal.runs.end(run_id, "cancelled")
        journal.runs.reopen(run_id)
        assert not journal.runs.is_cancel_requested(run_id)
        assert journal.runs.get(run_id).cancel_requested_at is None

    @pytest.mark.parametrize("status", ["done", "failed", "interrupted", "cancelled"])
    def test_a_run_that_is_not_running_cannot_be_cancelled(self, journal: Journal, status: str) -> None:
        run_id = begin(journal)
        journal.runs.end(run_id, status)
        with pytest.raises(InputError, match=f"^run {run_id} is not running$"):
            journal.runs.request_cancel(run_id)
        assert not journal.runs.is_cancel_requested(run_id)

    def test_an_unknown_run_cannot_be_cancelled(self, journal: Journal) -> None:
        unknown = new_id()
        with pytest.raises(InputError, match="is not running"):
            journal.runs.request_cancel(unknown)
        assert not journal.runs.is_cancel_requested(unknown)
