"""A run as a thing to hold: its id at once, its events, its result, and a way to cancel it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled, Incomplete, InputError, StorageError
from bottega.journal import Event
from bottega.pipeline.events import PULSE_S, EventLog, event_scope
from bottega.verbs import VerbResult

if TYPE_CHECKING:
    from bottega.journal import Journal
    from bottega.pipeline import Kind

R = TypeVar("R", bound=VerbResult)
_POLL_S = 0.5
_FOLLOW_S = 0.2


class RunHandle(Generic[R]):
    """A run of this process. Any number of threads may follow its events, wait for its result or cancel it."""

    def __init__(
        self,
        events: EventLog,
        work: Callable[[], R],
        *,
        is_cancel_requested: Callable[[], bool],
        on_end: Callable[[RunHandle[R]], None],
    ) -> None:
        self._events = events
        self._work = work
        self._on_end = on_end
        self._is_cancel_requested = is_cancel_requested
        self._cancellation = Cancellation()
        self._result: R | None = None
        self._problem: BaseException | None = None
        self._is_over = threading.Event()
        self._ended = threading.Event()

    @property
    def id(self) -> str:
        return self._events.run_id

    @property
    def is_running(self) -> bool:
        return not self._ended.is_set()

    @property
    def is_recorded(self) -> bool:
        """Whether the journal knows the run, so that it can be resumed."""
        return self._events.is_kept

    @property
    def status(self) -> str:
        """running, done, failed or cancelled."""
        if self.is_running:
            return "running"
        if isinstance(self._problem, Cancelled | KeyboardInterrupt):
            return "cancelled"
        return "failed" if self._problem is not None else "done"

    def result(self, timeout: float | None = None) -> R:
        """Wait for the end; raise what the run raised, `TimeoutError` when it takes longer than `timeout` seconds."""
        if not self._ended.wait(timeout):
            raise TimeoutError(f"run {self.id} is still under way after {timeout} s")
        if self._problem is not None:
            raise self._problem
        return cast("R", self._result)  # without a problem there is a result

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end without asking how it ended; whether it came within `timeout` seconds."""
        return self._ended.wait(timeout)

    def cancel(self, reason: str = "cancelled") -> None:
        """Interrupt whatever the run waits for; it ends as `cancelled` and can be resumed. Returns at once."""
        self._cancellation.cancel(reason)

    def events(self, after: int = 0) -> Iterator[Event]:
        """Events numbered above `after`, those to come included, until the run ends."""
        return self._events.follow(after)

    def start(self) -> None:
        """Carry the run out in a thread of its own."""
        threading.Thread(target=self._carry_out, name=f"run {self.id}", daemon=True).start()

    def carry_out(self) -> R:
        """Carry the run out and wait for its end; Ctrl-C cancels it."""
        self.start()
        try:
            return self.result()
        except KeyboardInterrupt:
            self.cancel("Ctrl-C")
            self.wait()
            raise

    def _carry_out(self) -> None:
        pulse = threading.Thread(target=self._pulse, name=f"pulse of {self.id}", daemon=True)
        pulse.start()
        try:
            with cancel_scope(self._cancellation), event_scope(self._events):
                self._result = self._work()
        except BaseException as problem:  # noqa: BLE001 - whoever asks for the result gets it
            self._problem = problem
        finally:
            self._is_over.set()
            pulse.join()  # whoever learns of the end may close the journal
            self._events.close()
            self._on_end(self)
            self._ended.set()

    def _pulse(self) -> None:
        """Hand out and store events while the run goes on, and look for a cancel from another process."""
        next_poll = time.monotonic() + _POLL_S
        while not self._is_over.wait(PULSE_S):
            self._events.pulse()
            if time.monotonic() >= next_poll and not self._cancellation.is_cancelled:
                next_poll = time.monotonic() + _POLL_S
                if self._is_requested():
                    self.cancel("cancelled from another process")

    def _is_requested(self) -> bool:
        try:
            return self._is_cancel_requested()
        except StorageError:  # the run itself meets it, where it can be told
            return False


class RecordedRun:
    """A run that the journal knows, carried out by another process or over already."""

    def __init__(self, run_id: str, journal: Journal, kind: Kind | None) -> None:
        self.id = run_id
        self._journal = journal
        self._kind = kind

    @property
    def status(self) -> str:
        """`running` only while a process carries it out; `interrupted` when that process died."""
        return self._journal.status_of(self._journal.runs.get(self.id))

    @property
    def is_running(self) -> bool:
        return self.status == "running"

    def events(self, after: int = 0) -> Iterator[Event]:
        """Events numbered above `after`, those to come included, until the run ends."""
        while True:
            is_over = not self.is_running
            events = self._journal.events.after(self.id, after)
            yield from events
            if events:
                after = events[-1].seq
            elif is_over:
                return
            else:
                time.sleep(_FOLLOW_S)

    def cancel(self) -> None:
        """Ask the process that carries it out to cancel it. Raise `InputError` when none does."""
        if not self.is_running:
            raise InputError(f"run {self.id} is {self.status}", hint="Only a run that is under way can be cancelled.")
        self._journal.runs.request_cancel(self.id)

    def result(self) -> VerbResult:
        """The result of a finished run; waits while it is under way. Raise `Incomplete` when it did not finish."""
        for _ in self.events():
            pass
        record = self._journal.runs.get(self.id)
        if record.status != "done" or self._kind is None:
            problem = f": {record.error}" if record.error else ""
            raise Incomplete(f"run {self.id} is {self.status}{problem}", hint=f"`bottega resume {self.id}` goes on.")
        from bottega.pipeline import Finished

        state = self._kind.state.model_validate_json(record.final_state or "{}")
        return self._kind.read_result(Finished(self.id, state))
