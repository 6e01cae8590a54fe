"""What a `HistoryStore` promises."""

from __future__ import annotations

from contextlib import closing

import pytest

from bottega.journal import HISTORY_FIELDS, HistoryStore, Journal
from bottega.testing.journal_contract.factory import Contract, JournalFactory
from bottega.testing.journal_contract.samples import history_record


class HistoryContract(Contract):
    """Records come newest first; one that is appended again after a resume is kept once; old ones may go."""

    def test_records_are_read_back_newest_first(self, journal: Journal, second: Journal) -> None:
        records = [history_record(original_prompt=f"prompt {number}") for number in range(3)]
        for record in records:
            journal.history.append(record)
        assert list(second.history.newest()) == records[::-1]
        assert tuple(next(second.history.newest())) == HISTORY_FIELDS

    def test_a_record_that_is_appended_again_is_kept_once(self, journal: Journal, second: Journal) -> None:
        for prompt in ("a", "b"):
            journal.history.append(history_record(original_prompt=prompt))
        second.history.append(history_record(original_prompt="a"))
        assert _prompts(journal.history) == ["b", "a"]

    @pytest.mark.parametrize("changed", [{"extra": 1}, {"ts": None}])
    def test_other_fields_are_refused(self, journal: Journal, changed: dict[str, object]) -> None:
        record = history_record(**changed)
        if "extra" not in changed:
            del record["ts"]
        with pytest.raises(ValueError, match="a history record has the fields"):
            journal.history.append(record)
        assert list(journal.history.newest()) == []

    def test_everything_is_kept_unless_files_are_limited(self, factory: JournalFactory) -> None:
        with closing(factory.open(history_entries=2)) as journal:
            _append(journal.history, 7)
            assert _prompts(journal.history) == ["6", "5", "4", "3", "2", "1", "0"]

    def test_the_oldest_go_once_there_are_more_than_the_files_may_hold(self, factory: JournalFactory) -> None:
        with closing(factory.open(history_entries=3, history_files=2)) as journal:
            for count in range(20):
                journal.history.append(history_record(original_prompt=str(count)))
                kept = _prompts(journal.history)
                assert kept == [str(number) for number in range(count, count - len(kept), -1)]
                assert min(count + 1, 4) <= len(kept) <= 6


def _append(history: HistoryStore, count: int) -> None:
    for number in range(count):
        history.append(history_record(original_prompt=str(number)))


def _prompts(history: HistoryStore) -> list[str]:
    return [record["original_prompt"] for record in history.newest()]
