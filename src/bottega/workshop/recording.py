"""The record of a long call without a pipeline: listed, watched and cancelled like any other run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from bottega import __version__
from bottega.errors import StorageError, describe_end
from bottega.journal import Journal, RunRecord
from bottega.pipeline.events import EventLog
from bottega.verbs import VerbRequest
from bottega.workshop.registry import find_verb

CALL_KIND = "call"


@contextmanager
def record_call(request: VerbRequest, events: EventLog, open_journal: Callable[[], Journal]) -> Iterator[None]:
    """Record the block as a run where the request asks for it.

    Where nothing can be written, the call is carried out without a record: an index may lie in the user's cache.
    """
    if not request.is_recorded:
        yield
        return
    try:
        journal = open_journal()
        _begin(request, events, journal)
        session = journal.sessions.open(events.run_id)
    except StorageError:
        yield
        return
    with closing(session):
        events.keep_in(journal.events)
        events.emit("began", name=request.verb)
        try:
            yield
        except BaseException as problem:
            status, error = describe_end(problem)
            _end(events, journal, status, error)
            raise
        _end(events, journal, "done", None)


def read_recorded_request(record: RunRecord) -> VerbRequest:
    """The request of a recorded call. Raise `InputError` where this version lacks its verb or a field of it."""
    request: VerbRequest = find_verb(record.pipeline).read_request(json.loads(record.input))
    return request


def _begin(request: VerbRequest, events: EventLog, journal: Journal) -> None:
    if journal.runs.exists(events.run_id):
        journal.runs.reopen(events.run_id)
        return
    journal.runs.begin(
        run_id=events.run_id,
        pipeline=request.verb,
        kind=CALL_KIND,
        definition={},
        state=request.model_dump(mode="json"),
        settings={},
        version=__version__,
    )


def _end(events: EventLog, journal: Journal, status: str, error: str | None) -> None:
    events.emit("ended", name="" if error else events.run_id, text=error or status)
    events.pulse()
    journal.runs.end(events.run_id, status, error=error, final_state=None if error else {})
