"""What a `SessionStore` and the sessions it opens promise."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from bottega.errors import InputError
from bottega.journal import Journal, RecordConflict, SessionHandle, new_id
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.processes import Opener, acting_elsewhere
from bottega.testing.journal_contract.samples import begin


class SessionContract(Contract):
    """A run is claimed by one holder at a time, in any thread or process; values are stored together or not at all."""

    def test_values_are_put_read_and_listed(self, journal: Journal) -> None:
        session = journal.sessions.open(begin(journal))
        session.put({"state": {"a": [1, None]}, "parts/1": "one", "parts/2": "two", "parts%": 0})
        session.put({"state": "replaced"})
        assert (session.get("state"), session.get("absent")) == ("replaced", None)
        assert session.keys("parts/") == ["parts/1", "parts/2"]
        assert session.keys() == ["parts%", "parts/1", "parts/2", "state"]
        session.close()

    def test_a_closed_session_is_opened_again_with_its_values(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        assert not second.sessions.exists(run_id)
        session = journal.sessions.open(run_id)
        session.put({"position": {"at": "draft"}, "state": {"x": "é\ud800"}})
        session.close()
        session.close()
        assert second.sessions.exists(run_id)
        again = second.sessions.open(run_id)
        assert (again.get("position"), again.get("state")) == ({"at": "draft"}, {"x": "é\ufffd"})
        again.close()

    def test_a_value_that_cannot_be_stored_keeps_all_that_come_with_it_out(self, journal: Journal) -> None:
        session = journal.sessions.open(begin(journal))
        session.put({"position": 1, "state": "old"})
        with pytest.raises(TypeError):
            session.put({"position": 2, "state": object()})
        assert (session.get("position"), session.get("state")) == (1, "old")
        session.close()

    def test_a_run_is_claimed_once_until_its_session_is_closed(self, journal: Journal, second: Journal) -> None:
        run_id, other = begin(journal), begin(journal)
        assert not journal.sessions.is_alive(run_id)
        session = journal.sessions.open(run_id)
        for sessions in (journal.sessions, second.sessions):
            assert sessions.is_alive(run_id)
            with pytest.raises(InputError, match=f"^run {run_id} is being carried out by another process$") as caught:
                sessions.open(run_id)
            assert caught.value.hint == "Wait for it to end."
        session.put({"still": "works"})
        journal.sessions.open(other).close()
        session.close()
        assert not second.sessions.is_alive(run_id)
        second.sessions.open(run_id).close()

    def test_of_many_threads_one_claims_a_run(self, journal: Journal) -> None:
        run_id = begin(journal)
        barrier = Barrier(8)

        def claim(_: int) -> SessionHandle | None:
            barrier.wait(30)
            try:
                return journal.sessions.open(run_id)
            except InputError:
                return None

        with ThreadPoolExecutor(8) as pool:
            (session,) = [found for found in pool.map(claim, range(8)) if found is not None]
        assert journal.sessions.is_alive(run_id)
        session.close()

    def test_looking_whether_a_run_is_alive_does_not_keep_others_from_claiming_it(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.sessions.open(run_id).close()
        with ThreadPoolExecutor(2) as pool:
            looking = [pool.submit(lambda: [journal.sessions.is_alive(run_id) for _ in range(5000)]) for _ in "ab"]
            while not all(look.done() for look in looking):
                journal.sessions.open(run_id).close()
        assert not journal.sessions.is_alive(run_id)

    def test_several_who_look_at_once_do_not_take_each_other_for_the_holder(self, journal: Journal) -> None:
        run_id = begin(journal)
        journal.sessions.open(run_id).close()
        with ThreadPoolExecutor(4) as pool:
            seen = list(pool.map(lambda _: journal.sessions.is_alive(run_id), range(500)))
        assert set(seen) == {False}

    def test_a_run_claimed_in_another_process_is_free_once_that_is_killed(
        self, journal: Journal, opener: Opener
    ) -> None:
        run_id = begin(journal)
        with acting_elsewhere(opener, partial(open_session, run_id)):
            assert journal.sessions.is_alive(run_id)
            with pytest.raises(InputError, match=f"run {run_id} is being carried out"):
                journal.sessions.open(run_id)
        assert not journal.sessions.is_alive(run_id)
        session = journal.sessions.open(run_id)
        assert session.get("position") == 3
        session.close()

    def test_an_archived_session_is_gone_and_its_run_free(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        session = journal.sessions.open(run_id)
        session.put({"state": 1})
        journal.sessions.archive(run_id, session)
        assert (second.sessions.exists(run_id), second.sessions.is_alive(run_id)) == (False, False)
        again = second.sessions.open(run_id)
        assert again.keys() == []
        second.sessions.archive(run_id, again)

    def test_a_session_that_cannot_be_archived_stays(self, journal: Journal) -> None:
        unknown = new_id()
        session = journal.sessions.open(unknown)
        session.put({"state": 1})
        with pytest.raises(RecordConflict):
            journal.sessions.archive(unknown, session)
        assert (journal.sessions.exists(unknown), journal.sessions.is_alive(unknown)) == (True, False)
        again = journal.sessions.open(unknown)
        assert again.get("state") == 1
        again.close()

    def test_sessions_of_unknown_runs_are_deleted_unless_claimed(self, journal: Journal, second: Journal) -> None:
        known, unknown, claimed = new_id(), new_id(), new_id()
        for run_id in (known, unknown):
            journal.sessions.open(run_id).close()
        session = journal.sessions.open(claimed)
        second.sessions.forget({known}.__contains__)
        assert [journal.sessions.exists(run_id) for run_id in (known, unknown, claimed)] == [True, False, True]
        session.close()


def open_session(run_id: str, journal: Journal) -> SessionHandle:
    session = journal.sessions.open(run_id)
    session.put({"position": 3})
    return session
