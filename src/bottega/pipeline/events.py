"""The events of one run: numbered, coalesced, followed by any number of subscribers, kept in the journal.

Text and progress come in small fragments: those of one step are joined until the next pulse, so that neither a fast
model nor a long index floods the journal.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from bottega.errors import StorageError
from bottega.journal import Event, EventKind, EventStore, now

PULSE_S = 0.1
_LONGEST_TEXT = 4_000
_MOST_TEXT = 4_000_000
_MOST_EVENTS = 50_000
_LONGEST_HELD = 20_000
_KEY_BEGINS, _KEY_ENDS = "-----BEGIN", "-----END"
_WAIT_S = 1.0
_JOINED: frozenset[EventKind] = frozenset({"text", "progress"})

Key = tuple[EventKind, str, str]
_current: ContextVar[EventLog | None] = ContextVar("events", default=None)


class EventLog:
    """Takes events from the threads of a run and hands them out in order; `last` is the highest number so far."""

    def __init__(self, run_id: str, *, last: int = 0, earlier: EventStore | None = None) -> None:
        """`earlier` holds the events up to `last`, those of earlier sittings of a resumed run."""
        self.run_id = run_id
        self._first = last
        self._earlier_events = earlier
        self._events: list[Event] = []
        self._pending: dict[Key, Event] = {}
        self._text = 0
        self._store: EventStore | None = None
        self._stored = 0
        self._is_closed = False
        self._changed = threading.Condition()
        self._writing = threading.Lock()

    @property
    def last(self) -> int:
        return self._first + len(self._events)

    @property
    def is_kept(self) -> bool:
        """Whether the events go to a journal, which then knows the run."""
        return self._store is not None

    def emit(
        self, kind: EventKind, step: str = "", *, name: str = "", text: str = "", done: int = 0, total: int = 0
    ) -> None:
        """Take an event in; what comes after the end of the run is dropped."""
        event = Event(self.run_id, 0, now(), step, kind, name, text, done, total)
        with self._changed:
            if self._is_closed:
                return
            if kind in _JOINED:
                self._join(event)
            else:
                self._release(ended=event)
                self._append(event)

    def keep_in(self, store: EventStore) -> None:
        """Write events to the journal from now on, those before included."""
        self._store = store

    def pulse(self) -> None:
        """Hand out joined text and progress, and write what is new to the journal."""
        with self._changed:
            self._release()
        self._write()

    def close(self) -> None:
        """End the log: subscribers see the rest and then the end."""
        with self._changed:
            self._release(is_over=True)
            self._is_closed = True
            self._changed.notify_all()
        self._write()

    def follow(self, after: int = 0) -> Iterator[Event]:
        """Events with a higher number than `after`, those to come included, until the run ends."""
        for event in self._earlier(after):
            after = event.seq
            yield event
        while True:
            with self._changed:
                at = max(0, after - self._first)
                while len(self._events) <= at and not self._is_closed:
                    self._changed.wait(_WAIT_S)
                events = self._events[at:]
            yield from events
            if not events:
                return
            after = events[-1].seq

    def _earlier(self, after: int) -> Iterator[Event]:
        """What earlier sittings of a resumed run left in the journal."""
        while self._earlier_events is not None and after < self._first:
            events = [event for event in self._earlier_events.after(self.run_id, after) if event.seq <= self._first]
            if not events:
                return
            yield from events
            after = events[-1].seq

    def _join(self, event: Event) -> None:
        key = (event.kind, event.step, event.name)
        pending = self._pending.get(key)
        if event.kind == "text" and pending is not None:
            event = replace(event, text=pending.text + event.text)
        self._pending[key] = event
        if len(event.text) >= _LONGEST_TEXT:
            self._release()

    def _release(self, *, ended: Event | None = None, is_over: bool = False) -> None:
        """Hand out what was joined; the end of a text waits until it is clear that no secret is cut in two.

        A text is over when its step or its call `ended`, or the whole run.
        """
        pending, self._pending = self._pending, {}
        for key, event in pending.items():
            is_whole = is_over or (ended is not None and _ends(ended, event))
            end = len(event.text) if is_whole else _find_cut(event.text)
            if end < len(event.text):
                self._pending[key] = replace(event, text=event.text[end:])
            if event.kind == "text" and not end:
                continue
            self._text += end
            if self._text <= _MOST_TEXT and len(self._events) < _MOST_EVENTS:
                self._append(replace(event, text=event.text[:end]))

    def _append(self, event: Event) -> None:
        self._events.append(replace(event, seq=self.last + 1))
        self._changed.notify_all()

    def _write(self) -> None:
        """Store what is new, one thread at a time, so that a number never appears in the journal after a higher one.

        An error of the journal does not end the run: the events are stored by the next pulse that succeeds.
        """
        with self._writing:
            if self._store is None:
                return
            with self._changed:
                new = self._events[self._stored :]
            if not new:
                return
            with contextlib.suppress(StorageError):
                self._store.add(new)
                self._stored += len(new)


def _ends(event: Event, text: Event) -> bool:
    """Whether a text is complete once this event has happened."""
    if event.kind == "ended":
        return event.step in {"", text.step}
    return event.kind == "call" and (event.step, event.name) == (text.step, text.name)


def _find_cut(text: str) -> int:
    """Where a text may be cut: behind its last blank, before a private key that has no end yet.

    Secrets are masked in each event alone, so that none may lie in two. A text without blanks is cut all the same once
    it is too long to be a secret.
    """
    if len(text) >= _LONGEST_HELD:
        return len(text)
    begun = text.rfind(_KEY_BEGINS)
    if begun >= 0 and _KEY_ENDS not in text[begun:]:
        return begun
    return max(text.rfind(" "), text.rfind("\n")) + 1


def current_events() -> EventLog | None:
    """The log of the run that this thread works for."""
    return _current.get()


@contextmanager
def event_scope(events: EventLog) -> Iterator[None]:
    """Whatever is remarked inside the block belongs to this log."""
    reset = _current.set(events)
    try:
        yield
    finally:
        _current.reset(reset)
