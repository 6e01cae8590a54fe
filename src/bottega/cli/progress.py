"""Progress on standard error: one changing line on a terminal, plain lines otherwise."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TextIO

from bottega.cli.plain import complain, plain

if TYPE_CHECKING:
    from bottega.pipeline import Event

_CLEAR = "\r\x1b[K"


def announce(text: str) -> None:
    complain(f"bottega: {text}\n")


def show_event(stream: TextIO) -> Callable[[Event], None]:
    """Prints which step is at work, how it ended and how long it took."""
    return _Progress(stream).show


class _Progress:
    """A line a step; on a terminal it grows while the model writes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._started: dict[str, float] = {}
        self._working = ""
        self._written = 0

    def show(self, event: Event) -> None:
        if event.what == "began":
            self._began(event)
        elif event.what == "text":
            self._grew(event)
        elif event.what == "ended":
            seconds = time.monotonic() - self._started.get(event.step, time.monotonic())
            outcome = f" → {event.detail.replace('_', ' ')}" if event.detail and event.detail != "done" else ""
            self._line(f"· {event.step}{outcome} ({seconds:.1f} s)")
        elif event.what == "remark":
            self._line(f"  {event.detail}")

    def _began(self, event: Event) -> None:
        self._started[event.step] = time.monotonic()
        self._written = 0
        self._working = f"· {event.step}: {event.detail}"
        self._flash(self._working)

    def _grew(self, event: Event) -> None:
        self._written += len(event.detail)
        self._flash(f"{self._working} {self._written} characters")

    def _flash(self, text: str) -> None:
        if self._live:
            self._put(_CLEAR, text[: shutil.get_terminal_size().columns - 1])

    def _line(self, text: str) -> None:
        self._put(_CLEAR if self._live else "", f"{text}\n")

    def _put(self, control: str, text: str) -> None:
        """A full or closed log must not end the work."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(control + plain(text))
            self._stream.flush()


class Bar:
    """How far a long piece of work is: a bar on a terminal, a line now and then otherwise, nothing for short work."""

    _WIDTH = 30
    _FIRST_S, _EVERY_S, _LINES_EVERY_S = 0.5, 0.1, 10.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._began = time.monotonic()
        self._shown = self._began if not self._live else 0.0
        self._is_dirty = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_dirty:
            self._put(_CLEAR)

    def show(self, stage: str, done: int, total: int) -> None:
        if not self._is_time():
            return
        if self._live:
            full = self._WIDTH * done // max(total, 1)
            self._put(f"{_CLEAR}{stage} [{'#' * full}{'.' * (self._WIDTH - full)}] {done}/{total}")
            self._is_dirty = True
        else:
            self._put(f"{stage} {done}/{total}\n")

    def count(self, text: str) -> None:
        """The same where nobody knows yet how much there is."""
        if self._is_time():
            self._put(f"{_CLEAR}{text}" if self._live else f"{text}\n")
            self._is_dirty = self._live

    def _is_time(self) -> bool:
        now = time.monotonic()
        wait = self._EVERY_S if self._live else self._LINES_EVERY_S
        if now - self._began < self._FIRST_S or now - self._shown < wait:
            return False
        self._shown = now
        return True

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
