"""What a `CallStore` promises."""

from __future__ import annotations

import json
import time

import pytest

from bottega.journal import CallPlace, CallTiming, Journal, RecordConflict, new_id, now
from bottega.testing.journal_contract.factory import Contract
from bottega.testing.journal_contract.samples import begin, complete, send


class CallContract(Contract):
    """A call is recorded before it is sent, and answered once."""

    def test_a_call_is_sent_until_it_is_completed_or_failed(self, journal: Journal, second: Journal) -> None:
        run_id = begin(journal)
        first, other = send(journal, run_id), send(journal, run_id, nth=1)
        place = CallPlace(run_id, 1, "hash", 0)
        assert [call.status for call in second.calls.of_run(run_id)] == ["sent", "sent"]
        assert second.calls.completed(place) is None
        complete(journal, first)
        journal.calls.fail(other, "it broke")
        done, failed = second.calls.of_run(run_id)
        assert (done.id, done.status, done.reply, done.finish) == (first, "completed", "sorted(x)", "stop")
        assert (done.prompt_tokens, done.completion_tokens, done.latency_ms, done.cost) == (10, 5, 7, 0.5)
        assert json.loads(done.tool_calls or "") == [{"name": "read", "arguments": {"path": "sorted(x)"}}]
        assert (failed.id, failed.status, failed.error, failed.reply) == (other, "failed", "it broke", None)
        assert second.calls.completed(place) == done

    def test_only_the_completed_call_of_the_same_place_is_found(self, journal: Journal) -> None:
        run_id, other = begin(journal), begin(journal)
        complete(journal, send(journal, run_id, seq=2, nth=1), text="first")
        complete(journal, send(journal, run_id, seq=2, nth=1), text="again")
        found = journal.calls.completed(CallPlace(run_id, 2, "hash", 1))
        assert found is not None
        assert found.reply == "first"
        elsewhere = [(run_id, 1, "hash", 1), (run_id, 2, "other", 1), (run_id, 2, "hash", 0), (other, 2, "hash", 1)]
        assert [journal.calls.completed(CallPlace(*place)) for place in elsewhere] == [None] * 4

    def test_calls_come_by_step_and_in_the_order_they_were_sent(self, journal: Journal) -> None:
        run_id = begin(journal)
        sent = [send(journal, run_id, seq=seq, nth=nth) for seq, nth in ((2, 0), (1, 0), (2, 1), (1, 1))]
        assert [call.id for call in journal.calls.of_run(run_id)] == [sent[1], sent[3], sent[0], sent[2]]

    def test_a_verdict_is_kept_with_its_reason(self, journal: Journal) -> None:
        run_id = begin(journal)
        call_id = send(journal, run_id)
        complete(journal, call_id)
        with pytest.raises(RecordConflict):
            journal.calls.rule(call_id, "perhaps", "")
        journal.calls.rule(call_id, "refused", "no JSON")
        (call,) = journal.calls.of_run(run_id)
        assert (call.verdict, call.verdict_reason) == ("refused", "no JSON")

    def test_timings_are_those_of_the_newest_completed_calls_of_a_model(self, journal: Journal) -> None:
        run_id = begin(journal)
        for nth, reply_tokens in enumerate((5, 6, 7, None)):
            complete(journal, send(journal, run_id, nth=nth), reply_tokens=reply_tokens)
            time.sleep(0.002)  # calls of one millisecond have no order
        journal.calls.fail(send(journal, run_id, nth=8), "it broke")
        send(journal, run_id, nth=9)
        told = [CallTiming(10, 7, 0.007), CallTiming(10, 6, 0.007), CallTiming(10, 5, 0.007)]
        assert journal.calls.timings("scripted/one", 9) == told
        assert journal.calls.timings("scripted/one", 2) == told[:2]
        assert journal.calls.timings("scripted/other", 9) == []

    def test_attempts_are_numbered(self, journal: Journal) -> None:
        call_id = send(journal, begin(journal))
        journal.calls.attempt(call_id, 1, started_at=now(), error="429")
        journal.calls.attempt(call_id, 2, started_at=now(), error=None)
        with pytest.raises(RecordConflict):
            journal.calls.attempt(call_id, 2, started_at=now(), error=None)

    def test_a_call_of_no_run_is_refused(self, journal: Journal) -> None:
        unknown = new_id()
        with pytest.raises(RecordConflict):
            send(journal, unknown)
        assert journal.calls.of_run(unknown) == []
        complete(journal, send(journal, begin(journal)))

    def test_any_text_is_kept_and_lone_surrogates_are_replaced(self, journal: Journal) -> None:
        run_id = begin(journal, text="cut \ud83d here")
        text = "a\x00b \u2028 \U0001f600 " + "é" * 1_000_000
        call_id = send(journal, run_id, text=text)
        complete(journal, call_id, text=f"{text}\ud800")
        (call,) = journal.calls.of_run(run_id)
        assert json.loads(call.request)["messages"][0]["content"] == text
        assert call.reply == f"{text}\ufffd"
        journal.runs.end(run_id, "failed", error="\udcff")
        run = journal.runs.get(run_id)
        assert (json.loads(run.input), run.error) == ({"prompt": "cut \ufffd here"}, "\ufffd")
