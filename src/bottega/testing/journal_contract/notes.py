"""What a `NoteStore` promises."""

from __future__ import annotations

import json

import pytest

from bottega.journal import Journal, RecordConflict, new_id
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import begin


class NoteContract(Contract):
    """Effects are recorded once; the story of a run comes in order."""

    def test_notes_come_by_step_then_by_time_and_outcomes_last(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        journal.notes.outcome(run_id, "accepted", "yes", "merged")
        journal.notes.record_effect(run_id, 2, "tests", 0, {"passed": 3})
        journal.notes.decide(run_id, 1, "escalate", {"to": "reviewer"}, "confidence 5")
        journal.notes.validate(run_id, 1, "syntax", "passed", "python")
        notes = [(note.what, note.name, note.value, note.reason) for note in second.notes.of_run(run_id)]
        assert notes == [
            ("decision", "escalate", '{"to": "reviewer"}', "confidence 5"),
            ("validation", "syntax", "passed", "python"),
            ("effect", "tests", '{"passed": 3}', ""),
            ("outcome", "accepted", "yes", "merged"),
        ]
        assert second.notes.of_run(new_id()) == []

    def test_an_effect_is_recorded_once_and_returned_as_stored(self, journal: Journal) -> None:
        run_id = begin(journal)
        assert journal.notes.effect(run_id, 1, "tests", 0) is None
        assert json.loads(journal.notes.record_effect(run_id, 1, "tests", 0, {"a": (1, None)})) == {"a": [1, None]}
        with pytest.raises(RecordConflict):
            journal.notes.record_effect(run_id, 1, "tests", 0, "second")
        assert json.loads(journal.notes.effect(run_id, 1, "tests", 0) or "") == {"a": [1, None]}
        assert journal.notes.effect(run_id, 1, "tests", 1) is None
        assert journal.notes.effect(run_id, 2, "tests", 0) is None

    def test_a_step_that_starts_over_keeps_its_effects_only(self, journal: Journal) -> None:
        run_id = begin(journal)
        for seq in (1, 2):
            journal.notes.decide(run_id, seq, "escalate", True, "first time")
            journal.notes.validate(run_id, seq, "syntax", "failed", "first time")
            journal.notes.record_effect(run_id, seq, "tests", 0, "kept")
        journal.notes.forget_step(run_id, 1)
        notes = [(note.seq, note.what) for note in journal.notes.of_run(run_id)]
        assert notes == [(1, "effect"), (2, "decision"), (2, "validation"), (2, "effect")]
        assert journal.notes.effect(run_id, 1, "tests", 0) == '"kept"'

    def test_a_later_outcome_of_one_name_replaces_the_earlier(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.notes.outcome(run_id, "accepted", "yes", "")
        journal.notes.outcome(run_id, "tests", "3 passed", "")
        journal.notes.outcome(run_id, "accepted", "no", "reverted")
        outcomes = [(note.name, note.value) for note in journal.notes.of_run(run_id)]
        assert outcomes == [("tests", "3 passed"), ("accepted", "no")]

    def test_notes_of_no_run_are_refused(self, journal: Journal) -> None:
        unknown = new_id()
        with pytest.raises(RecordConflict):
            journal.notes.record_effect(unknown, 1, "tests", 0, 1)
        with pytest.raises(RecordConflict):
            journal.notes.decide(unknown, 1, "escalate", True, "")
        with pytest.raises(RecordConflict):
            journal.notes.outcome(unknown, "accepted", "yes", "")
        assert journal.notes.of_run(unknown) == []

    def test_a_result_of_a_check_that_does_not_exist_is_refused(self, journal: Journal) -> None:
        run_id = begin(journal)
        with pytest.raises(RecordConflict):
            journal.notes.validate(run_id, 1, "syntax", "perhaps", "")
        assert journal.notes.of_run(run_id) == []
