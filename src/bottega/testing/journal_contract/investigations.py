"""What an `InvestigationStore` promises."""

from __future__ import annotations

import pytest

from bottega.errors import InputError, StorageError
from bottega.journal import Journal, new_id
from bottega.testing.journal_contract.factory import Contract, JournalFactory


class InvestigationContract(Contract):
    """One investigation per target; what was not written through the store is treated as missing."""

    def test_a_target_has_one_investigation_until_a_fresh_one_is_asked_for(
        self, journal: Journal, second: Journal
    ) -> None:
        assert journal.investigations.all() == {}
        first, other = journal.investigations.open("/a"), journal.investigations.open("/b")
        assert first != other
        assert second.investigations.open("/a") == first
        fresh = second.investigations.open("/a", fresh=True)
        assert fresh not in (first, other)
        assert journal.investigations.open("/a") == fresh
        assert journal.investigations.all() == {"/a": fresh, "/b": other}

    def test_values_and_entries_are_read_back(self, journal: Journal, second: Journal) -> None:
        store = journal.investigations
        name = store.open("/a")
        store.write(name, "survey.json", {"text": "é"})
        store.put(name, "files", "a.py", {"relative_path": "a.py", "lines": 3})
        store.put(name, "files", "a.py", {"relative_path": "a.py", "lines": 4})
        assert second.investigations.read(name, "survey.json") == {"text": "é"}
        assert second.investigations.entry(name, "files", "a.py") == {"relative_path": "a.py", "lines": 4}
        assert second.investigations.entry(name, "dirs", "a.py") is None
        assert second.investigations.read(name, "plan.json") is None
        assert second.investigations.read(store.open("/b"), "survey.json") is None

    def test_entries_come_sorted_by_path_and_are_dropped_with_what_they_describe(self, journal: Journal) -> None:
        store = journal.investigations
        name = store.open("/a")
        for path in ("b.py", "a/z.py", "a.py"):
            store.put(name, "files", path, {"relative_path": path})
        store.put(name, "dirs", "a", {"relative_path": "a"})
        paths = [entry["relative_path"] for entry in store.entries(name, "files")]
        assert paths == ["a.py", "a/z.py", "b.py"]
        store.drop(name, "files", ["a.py", "new.py"])
        assert [entry["relative_path"] for entry in store.entries(name, "files")] == ["a.py"]
        assert [entry["relative_path"] for entry in store.entries(name, "dirs")] == ["a"]

    def test_lists_grow_and_are_replaced(self, journal: Journal, second: Journal) -> None:
        store = journal.investigations
        name = store.open("/a")
        assert store.lines(name, "flags.jsonl") == []
        for number in range(3):
            store.append(name, "flags.jsonl", {"flag": number})
        assert second.investigations.lines(name, "flags.jsonl") == [{"flag": 0}, {"flag": 1}, {"flag": 2}]
        store.rewrite(name, "flags.jsonl", [{"flag": 9}])
        assert second.investigations.lines(name, "flags.jsonl") == [{"flag": 9}]

    def test_a_forgotten_investigation_is_gone(self, journal: Journal, second: Journal) -> None:
        store = journal.investigations
        first, other = store.open("/a"), store.open("/b")
        store.write(first, "survey.json", {"text": "a"})
        assert second.investigations.forget("/unknown") == 0
        assert second.investigations.forget("/a") == 1
        assert store.all() == {"/b": other}
        assert store.read(first, "survey.json") is None
        for write in (store.write, store.append):
            with pytest.raises(StorageError, match="is gone"):
                write(first, "survey.json", {"text": "late"})
        again = store.open("/a")
        assert store.read(again, "survey.json") is None
        assert second.investigations.forget() >= 2
        assert store.all() == {}
        assert store.forget() == 0

    def test_reports_are_remembered_when_investigations_are_forgotten(self, journal: Journal) -> None:
        store = journal.investigations
        store.note_report("/a", "report.md", "d1")
        store.note_report("/a", "docs/report.md", "d2")
        store.note_report("/a", "report.md", "d3")
        store.open("/a")
        store.forget()
        assert store.reports("/a") == {"report.md": "d3", "docs/report.md": "d2"}
        assert store.reports("/b") == {}

    def test_an_entry_that_was_changed_from_outside_is_treated_as_missing(
        self, journal: Journal, factory: JournalFactory
    ) -> None:
        store = journal.investigations
        name = store.open("/a")
        for path in ("a.py", "b.py"):
            store.put(name, "files", path, {"relative_path": path, "summary": "as read"})
        factory.forge_entry(name, "files", "a.py", {"relative_path": "a.py", "summary": "forged"})
        assert store.entry(name, "files", "a.py") is None
        assert [entry["relative_path"] for entry in store.entries(name, "files")] == ["b.py"]

    @pytest.mark.parametrize("name", ["", "..", "../../etc", "x" * 300])
    def test_what_names_no_investigation_is_refused(self, journal: Journal, name: str) -> None:
        with pytest.raises(InputError, match="cannot name an investigation"):
            journal.investigations.read(name, "survey.json")
        with pytest.raises(InputError, match="cannot name an investigation"):
            journal.investigations.write(name, "survey.json", {})

    def test_an_unknown_investigation_holds_nothing(self, journal: Journal) -> None:
        unknown = new_id()
        assert journal.investigations.read(unknown, "survey.json") is None
        assert list(journal.investigations.entries(unknown, "files")) == []
