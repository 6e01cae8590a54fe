"""A run is a thing to hold: its id at once, its events from any number on, its result, and a cancel that is real."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bottega.ask import AskRequest
from bottega.errors import Cancelled, InputError, ModelFault
from bottega.journal import Journal
from bottega.models import Reply, Request, Usage
from bottega.retrieve import IndexRequest, SearchRequest
from bottega.review import ReviewRequest
from bottega.testing import Hang, MemoryRecords, Say, ScriptedServer, memory_journal, scripted_workshop
from bottega.workshop import Opening, RecordedRun, Workshop
from bottega.workshop.runs import RunRequest, RunsRequest
from bottega.write import WriteRequest

GOOD = "def double(n):\n    return 2 * n\n"
SURE = '{"judgement_summary": "Right.", "confidence_score": 9, "conflict_score": 1}'
SCRIPT = {"write.coder": [GOOD], "write.judge": [SURE]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "bells.py").write_text('def ring(times):\n    """Ring the bell."""\n    return "ding" * times\n')
    return tmp_path


def served(root: Path, url: str, concurrency: int = 4) -> Workshop:
    """A workshop whose one model answers over HTTP."""
    settings = (
        "index.vectors=manual",
        "providers.here.kind=openai",
        f"providers.here.base_url={url}/v1",
        f"providers.here.concurrency={concurrency}",
        "budget.context_window=32000",
    )
    return Workshop(Opening(root, settings, model="here/m", is_exact=True, environ={"HOME": str(root)}))


def test_the_id_is_known_at_once_and_is_that_of_the_record(root: Path) -> None:
    began = threading.Event()

    def speak(request: Request) -> str:
        began.wait(20)
        return SURE if request.stage == "write.judge" else GOOD

    with scripted_workshop(root, speak) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        assert handle.id
        assert handle.is_running
        began.set()
        result = handle.result(60)
        assert (result.output, result.run) == (GOOD, handle.id)
        assert workshop.journal.runs.get("last").id == handle.id
        assert (handle.is_running, handle.status) == (False, "done")


def test_a_result_raises_what_the_run_raised_as_often_as_it_is_asked(root: Path) -> None:
    with scripted_workshop(root, {"write.coder": [ModelFault("m", "gone", passing=False)]}) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        for _ in range(2):
            with pytest.raises(ModelFault, match="gone"):
                handle.result(60)
        assert handle.status == "failed"


def test_bad_input_is_refused_before_a_run_is_recorded(root: Path) -> None:
    with scripted_workshop(root, SCRIPT) as workshop:
        with pytest.raises(InputError, match="the request is empty"):
            workshop.start(WriteRequest(text=" ")).result(60)
        assert workshop.journal.runs.newest(5) == []


def test_events_are_numbered_without_gaps_and_can_be_followed_from_any_number(root: Path) -> None:
    with scripted_workshop(root, SCRIPT) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        handle.result(60)
        events = list(handle.events())
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert list(handle.events(after=4)) == events[4:]
        assert (events[0].kind, events[0].name, events[0].step) == ("began", "write", "")
        assert (events[-1].kind, events[-1].text, events[-1].step) == ("ended", "done", "")
        assert {"began", "ended", "text", "call"} <= {event.kind for event in events}
        assert workshop.journal.events.after(handle.id, 0) == events


def test_several_subscribers_see_a_run_while_it_goes_on(root: Path) -> None:
    answers = threading.Event()

    def speak(request: Request) -> str:
        answers.wait(20)
        return SURE if request.stage == "write.judge" else GOOD

    with scripted_workshop(root, speak) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        seen: list[list[Any]] = [[], []]
        threads = [threading.Thread(target=lambda at=at: seen[at].extend(handle.events())) for at in (0, 1)]
        for thread in threads:
            thread.start()
        answers.set()
        handle.result(60)
        for thread in threads:
            thread.join(20)
    assert seen[0] == seen[1] != []


def test_long_text_is_coalesced(root: Path) -> None:
    words = " ".join(f"word{number}" for number in range(3000))
    with ScriptedServer([Say(words, pace=0.0005)], repeat_last=True) as server, served(root, server.url) as workshop:
        handle = workshop.start(WriteRequest(text="///raw words", pipeline="write"))
        handle.result(60)
        texts = [event for event in handle.events() if event.kind == "text"]
    assert "".join(event.text for event in texts).split() == words.split()
    assert len(texts) < 300


def cancelled_soon(workshop: Workshop, request: Any, *, when: threading.Event | None = None) -> str:
    """Start a request, cancel it once the server was asked, and say how long the end took at most."""
    handle = workshop.start(request)
    if when is not None:
        assert when.wait(30)
    else:
        time.sleep(0.3)
    began = time.monotonic()
    handle.cancel()
    with pytest.raises(Cancelled):
        handle.result(20)
    assert time.monotonic() - began < 5
    return handle.id


def test_a_model_call_in_flight_is_cancelled_and_the_run_goes_on_by_resume(root: Path) -> None:
    with ScriptedServer([Hang(), Say(GOOD), Say(SURE)]) as server, served(root, server.url) as workshop:
        run = cancelled_soon(workshop, WriteRequest(text="double"))
        record = workshop.journal.runs.get(run)
        assert (record.status, record.error) == ("cancelled", "cancelled")
        assert [call.status for call in workshop.journal.calls.of_run(run)] == ["failed"]
        assert workshop.resume(run).result(60).output == GOOD


def test_what_was_paid_before_a_cancel_is_not_paid_again(root: Path) -> None:
    with ScriptedServer([Say(GOOD), Hang(), Say(SURE)]) as server, served(root, server.url) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        while len(server.asked) < 2:
            time.sleep(0.02)
        handle.cancel()
        with pytest.raises(Cancelled):
            handle.result(20)
        assert workshop.resume(handle.id).result(60).output == GOOD
        assert len(server.asked) == 3


def test_a_long_index_is_cancelled_and_leaves_the_index_usable(tmp_path: Path) -> None:
    for number in range(1500):
        body = "".join(f"def f_{number}_{n}(a):\n    return a + {n}\n\n\n" for n in range(40))
        (tmp_path / f"part_{number}.py").write_text(body)
    with scripted_workshop(tmp_path, {}) as workshop:
        handle = workshop.start(IndexRequest())
        next(event for event in handle.events() if event.kind == "progress")
        began = time.monotonic()
        handle.cancel()
        with pytest.raises(Cancelled):
            handle.result(30)
        assert time.monotonic() - began < 10
        found = workshop.call(SearchRequest(query="f_7_3", mode="bm25", limit=3))
        assert found.hits[0].span.path == "part_7.py"


def test_closing_a_workshop_cancels_what_is_under_way(root: Path) -> None:
    with ScriptedServer([Hang()]) as server:
        workshop = served(root, server.url)
        handle = workshop.start(WriteRequest(text="double"))
        while not server.asked:
            time.sleep(0.02)
        workshop.close()
        with pytest.raises(Cancelled):
            handle.result(1)
        with served(root, server.url) as again:
            assert again.journal.runs.get(handle.id).status == "cancelled"


def test_another_workshop_follows_and_cancels_a_run_by_its_record(root: Path) -> None:
    with ScriptedServer([Hang()]) as server, served(root, server.url) as ours, served(root, server.url) as theirs:
        handle = ours.start(WriteRequest(text="double"))
        while not server.asked:
            time.sleep(0.02)
        found = theirs.find_run(handle.id)
        assert isinstance(found, RecordedRun)
        assert found.status == "running"
        found.cancel()
        with pytest.raises(Cancelled):
            handle.result(20)
        assert found.status == "cancelled"
        kinds = [(event.kind, event.step) for event in found.events()]
        assert kinds[0] == ("began", "")
        assert kinds[-1] == ("ended", "")
        with pytest.raises(InputError, match="is cancelled"):
            found.cancel()


def test_a_finished_run_of_another_process_gives_its_result(root: Path) -> None:
    with scripted_workshop(root, SCRIPT) as workshop:
        run = workshop.call(WriteRequest(text="double")).run
    with scripted_workshop(root, {}) as workshop:
        result: Any = workshop.find_run(run).result()
        assert result.output == GOOD


def test_an_answer_streams_before_it_is_whole(root: Path) -> None:
    reply = "[Answer:] `ring` rings the bell [bells.py:1-3]. It returns ding."
    with scripted_workshop(
        root, {"ask.router": ["[HYBRID:] ring"], "ask.answer": [reply]}, settings=["budget.context_window=32000"]
    ) as workshop:
        handle = workshop.start(AskRequest(question="what does ring do?"))
        answer = handle.result(60)
        streamed = "".join(event.text for event in handle.events() if event.name == "answer")
    assert streamed
    assert answer.answer.startswith(streamed.strip()[:20])


def test_models_opened_under_the_settings_before_a_change_are_closed_with_their_run(tmp_path: Path) -> None:
    class Counted:
        name = "scripted/model"
        opened = 0

        def complete(self, request: Request, on_text: Any = None) -> Reply:
            return Reply('{"findings": []}', usage=Usage(1, 1), model=self.name)

        def close(self) -> None:
            Counted.opened -= 1

    def open_counted(config: object, environ: object) -> Counted:
        Counted.opened += 1
        return Counted()

    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    (tmp_path / "a.py").write_text("x = 1\n")
    settings = ("index.vectors=manual", "budget.context_window=32000")
    opening = Opening(tmp_path, settings, model="scripted/model", is_exact=True, environ={"HOME": str(tmp_path)})
    with Workshop(opening, open_model=open_counted) as workshop:
        for _ in range(3):
            workshop.call(ReviewRequest(diff=diff, seed=1))
        assert Counted.opened == 0


def test_every_record_may_be_kept_in_memory_in_place_of_files(root: Path) -> None:
    records = MemoryRecords()

    def open_memory(*_: Any, mask: Any = None, **__: Any) -> Journal:
        return memory_journal(records, mask=mask)

    with scripted_workshop(root, SCRIPT, open_journal=open_memory) as workshop:
        written = workshop.call(WriteRequest(text="double"))
        shown = workshop.call(RunsRequest())
        assert [run.id for run in shown.runs] == [written.run]
        assert workshop.call(RunRequest(run="last")).run.id == written.run
        assert workshop.replay(written.run).result(60).output == written.output
    with scripted_workshop(root, SCRIPT, open_journal=open_memory) as another:
        assert [run.id for run in another.call(RunsRequest()).runs][-1:] == [written.run]
    assert not list(root.glob(".bottega/raw.sqlite*"))


def test_an_index_is_a_run_that_is_listed_watched_and_carried_out_again(root: Path) -> None:
    with scripted_workshop(root, SCRIPT) as workshop:
        handle = workshop.start(IndexRequest())
        assert handle.result(60).files == 1
        recorded = workshop.find_run(handle.id)
        assert isinstance(recorded, RecordedRun)
        assert [(event.kind, event.text) for event in recorded.events()][-1] == ("ended", "done")
        assert workshop.call(RunsRequest()).runs[0].pipeline == "index"
        assert workshop.resume("last").result(60).files == 1
        assert workshop.journal.runs.get(handle.id).status == "done"


def test_a_cancelled_index_is_recorded_as_cancelled(root: Path) -> None:
    for number in range(300):
        (root / f"m{number}.py").write_text(f"def f{number}(): return {number}\n" * 20)
    with scripted_workshop(root, SCRIPT) as workshop:
        handle = workshop.start(IndexRequest(workers=1))
        next(iter(handle.events()))
        workshop.journal.runs.request_cancel(handle.id)
        with pytest.raises(Cancelled):
            handle.result(60)
        assert workshop.journal.runs.get(handle.id).status == "cancelled"
        assert workshop.resume(handle.id).result(60).files == 301


def test_a_run_under_way_cannot_be_resumed_a_second_time(root: Path) -> None:
    held = threading.Event()

    def speak(request: Request) -> str:
        held.wait(20)
        return SURE if request.stage == "write.judge" else GOOD

    with scripted_workshop(root, speak) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        next(iter(handle.events()))
        with pytest.raises(InputError, match="is under way"):
            workshop.resume(handle.id)
        assert workshop.find_run(handle.id) is handle
        held.set()
        assert handle.result(60).output == GOOD


def test_events_of_an_earlier_sitting_are_there_as_soon_as_a_run_is_resumed(root: Path) -> None:
    with scripted_workshop(root, {"write.coder": [GOOD]}) as workshop:
        handle = workshop.start(WriteRequest(text="double"))
        with pytest.raises(ModelFault):
            handle.result(60)
        before = list(handle.events())
    with scripted_workshop(root, {"write.coder": [GOOD], "write.judge": [SURE]}) as workshop:
        resumed = workshop.resume(handle.id)
        followed = [event.seq for event in resumed.events()]
        assert followed == list(range(1, len(followed) + 1))
        assert len(followed) > len(before)


def test_looking_for_a_run_creates_nothing(root: Path) -> None:
    with scripted_workshop(root, SCRIPT) as workshop, pytest.raises(InputError, match="there is no run last"):
        workshop.find_run("last")
    assert not (root / ".bottega").exists()
