"""What a `DismissalStore` promises."""

from __future__ import annotations

from dataclasses import replace

from bottega.journal import Journal
from bottega.testing.journal_contract.factory import Contract, JournalFactory
from bottega.testing.journal_contract.samples import dismissal


class DismissalContract(Contract):
    """A dismissal counts when it was added here, was not changed, and has not expired."""

    def test_a_dismissal_is_stored_sealed(self, journal: Journal, second: Journal) -> None:
        given = dismissal(because="tested by hand")
        stored = journal.dismissals.add(given)
        assert stored.seal
        assert replace(stored, seal="") == given
        assert second.dismissals.in_force() == second.dismissals.all() == [stored]

    def test_a_dismissal_expires(self, journal: Journal) -> None:
        over = journal.dismissals.add(dismissal("m1", until="2026-02-01T00:00:00Z"))
        valid = journal.dismissals.add(dismissal("m2", until="2026-03-01T00:00:00Z"))
        assert journal.dismissals.in_force("2026-01-15") == [over, valid]
        assert journal.dismissals.in_force("2026-02-15") == [valid]
        assert journal.dismissals.in_force("2026-04-01") == []
        assert journal.dismissals.all() == [over, valid]

    def test_the_dismissals_of_a_finding_are_removed_together(self, journal: Journal) -> None:
        for mark in ("m1", "m2", "m1"):
            journal.dismissals.add(dismissal(mark))
        assert journal.dismissals.remove("m1")
        assert not journal.dismissals.remove("m1")
        assert [known.mark for known in journal.dismissals.in_force()] == ["m2"]

    def test_a_seal_that_the_caller_gives_is_replaced(self, journal: Journal) -> None:
        own = journal.dismissals.add(dismissal("m1"))
        copied = journal.dismissals.add(replace(dismissal("m2"), seal=own.seal))
        assert copied.seal != own.seal
        assert journal.dismissals.in_force() == [own, copied]

    def test_a_dismissal_that_was_not_added_here_does_not_count(
        self, journal: Journal, factory: JournalFactory
    ) -> None:
        own = journal.dismissals.add(dismissal("m1"))
        for forged in (dismissal("m2"), replace(own, mark="m3"), replace(own, until="9999-12-31")):
            factory.forge_dismissal(forged)
        assert len(journal.dismissals.all()) == 4
        assert journal.dismissals.in_force() == [own]
