"""A cancelled run ends its call wherever the roster makes it wait, and the journal says so."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled
from bottega.models import JournalLog, ModelRouter, Request, Roster
from bottega.testing import Fail, Hang, Say, ScriptedServer

from .cancelling import CallInThread, cancel_during, wait_until
from .doubles import Desk, OpenDesk


def _has_asked(server: ScriptedServer, times: int) -> bool:
    return len(server.asked) == times


def with_real_waits(desk: Desk) -> Roster:
    """The desk's roster notes its waits; this one waits."""
    return Roster(ModelRouter(desk.settings), open_model=desk.open_model, facts=desk.journal.facts)


def complete(roster: Roster, log: JournalLog) -> str:
    return roster.complete(Request.of("hello"), role="coding", log=log).text


def test_the_call_is_recorded_as_cancelled_and_the_next_one_works(wire: str, open_desk: OpenDesk) -> None:
    with ScriptedServer([Hang(), Say("well")]) as server:
        desk = open_desk(server, wire)
        cancel_during(desk.complete, lambda: server.asked)
        assert [(call.status, call.error) for call in desk.calls] == [("failed", "cancelled")]
        assert desk.complete() == "well"
        assert desk.calls[-1].status == "completed"


def test_the_wait_before_a_retry_ends(wire: str, open_desk: OpenDesk) -> None:
    with ScriptedServer([Fail(429, retry_after=60), Say("well")]) as server:
        desk = open_desk(server, wire)
        roster = with_real_waits(desk)
        cancel_during(lambda: complete(roster, desk.log()), lambda: desk.attempts)
        assert desk.calls[0].error == "cancelled"
        assert complete(roster, desk.log()) == "well"
        roster.close()


def test_the_wait_for_another_call_to_the_same_server_ends(wire: str, open_desk: OpenDesk) -> None:
    with ScriptedServer([Hang(), Say("well")]) as server:
        desk = open_desk(server, wire)
        first = CallInThread(desk.complete)
        wait_until(lambda: server.asked)
        second = CallInThread(desk.complete)
        wait_until(lambda: len(desk.calls) == 2)
        time.sleep(0.1)
        second.cancel()
        assert len(server.asked) == 1, "the second call was never sent"
        first.cancel()
        assert desk.complete() == "well"


def test_a_cancelled_call_makes_room_for_the_next_in_the_queue(open_desk: OpenDesk) -> None:
    with ScriptedServer([Hang(), Say("well")]) as server:
        desk = open_desk(server, "ollama")
        first = CallInThread(desk.complete)
        wait_until(lambda: server.asked)
        second = CallInThread(desk.complete)
        wait_until(lambda: len(desk.calls) == 2)
        first.cancel()
        second.thread.join(20)
        assert second.raised is None


def test_cancelled_calls_do_not_open_the_breaker(wire: str, open_desk: OpenDesk) -> None:
    with ScriptedServer([*[Hang()] * 4, Say("well")]) as server:
        desk = open_desk(server, wire)
        for times in range(1, 5):
            call = CallInThread(desk.complete)
            wait_until(partial(_has_asked, server, times))
            call.cancel()
        assert desk.complete() == "well"


def test_a_cancelled_trial_of_a_failing_model_leaves_its_place_to_the_next(wire: str, open_desk: OpenDesk) -> None:
    with ScriptedServer([*[Fail(500)] * 3, Hang(), Say("well")]) as server:
        desk = open_desk(server, wire, retries=0)
        for _ in range(3):
            with pytest.raises(Exception, match="500"):
                desk.complete()
        desk.clock.time = 31.0
        cancel_during(desk.complete, lambda: len(server.asked) == 4)
        assert desk.complete() == "well"


def test_a_run_that_is_already_cancelled_records_nothing(open_desk: OpenDesk) -> None:
    token = Cancellation()
    token.cancel()
    with ScriptedServer([Say("unheard")]) as server:
        desk = open_desk(server, "ollama")
        with cancel_scope(token), pytest.raises(Cancelled):
            desk.complete()
        assert not desk.calls
        assert not server.asked


def test_many_calls_in_one_queue_all_end(open_desk: OpenDesk) -> None:
    with ScriptedServer(lambda _ask: Hang()) as server:
        desk = open_desk(server, "openai")
        token = Cancellation()
        calls = [CallInThread(desk.complete, token) for _ in range(12)]
        wait_until(lambda: server.asked and len(desk.calls) == 12)
        started = time.monotonic()
        token.cancel()
        for call in calls:
            call.thread.join(20)
        assert time.monotonic() - started < 3
        assert all(isinstance(call.raised, Cancelled) for call in calls)
        assert len(server.asked) == 1
        assert {call.error for call in desk.calls} == {"cancelled"}
        assert threading.active_count() < 12
