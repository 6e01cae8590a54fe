"""Progress on standard error: one changing line on a terminal, plain lines otherwise."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import unicodedata
from typing import TYPE_CHECKING, Self, TextIO

from bottega.amounts import format_duration, plural
from bottega.cli.terminal import escape_controls, escape_line, write_error

if TYPE_CHECKING:
    from bottega.workshop import Event

_CLEAR = "\r\x1b[K"
_WIDTH = 30
_FIRST_S, _EVERY_S, _LINES_EVERY_S = 0.5, 0.1, 10.0
_TELLING_S = 2.0


def print_remark(text: str) -> None:
    write_error(f"bottega: {text}\n")


class Progress:
    """Shows the progress of a run: a line for each step, a bar for long work, nothing for short work.

    On a terminal the last line is updated while a model writes or files are read; elsewhere lines are added seldom.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._opened = time.monotonic()
        self._shown_at = self._opened if not self._live else 0.0
        self._began: dict[str, float] = {}
        self._working = ""
        self._written = 0
        self._status = ""
        self._stage, self._stage_began, self._stage_done = "", 0.0, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the changing line, so that whatever is written next starts on an empty one."""
        if self._status:
            self._status = ""
            self._write(_CLEAR, "")

    def clear_echo(self) -> None:
        """Remove what the terminal wrote for a key, such as `^C`; where it cannot be removed, start another line."""
        if self._live:
            self._write(_CLEAR, self._status)
        elif self._stream.isatty():
            self._write("", "\n")

    def show(self, event: Event) -> None:
        if event.kind == "remark":
            self._line(f"  {event.text}" if event.step else f"bottega: {event.text}")
        elif event.kind == "progress":
            self.measure(event.name, event.done, event.total, is_long=bool(event.step))
        elif event.step and event.kind == "began":
            self._begin(event)
        elif event.step and event.kind == "text":
            self._count(event)
        elif event.step and event.kind == "ended":
            self._end(event)

    def measure(self, stage: str, done: int, total: int, *, is_long: bool = False) -> None:
        """Show how far work is and the time it may still take; only a count where the total is not known.

        Work that is not known to be long is shown once it has taken a moment.
        """
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._stage_began, self._stage_done = stage, now, done
        if not self._is_time(is_long=is_long):
            return
        left = _estimate_seconds(now - self._stage_began, done - self._stage_done, total - done)
        remaining = f", {format_duration(left)} left" if left is not None else ""
        if total and self._live:
            full = min(_WIDTH, _WIDTH * done // total)
            self._show_status(f"{stage} [{'#' * full}{'.' * (_WIDTH - full)}] {done:,}/{total:,}{remaining}")
        else:
            text = f"{stage} {done:,}/{total:,}{remaining}" if total else f"{done:,} {stage}"
            self._show_status(text) if self._live else self._line(text)

    def _begin(self, event: Event) -> None:
        self._began[event.step] = time.monotonic()
        self._written = 0
        self._stage = ""
        self._working = f"· {event.step}: {event.text}"
        self._show_status(self._working)

    def _count(self, event: Event) -> None:
        """Count what a model writes, unless a bar tells more."""
        self._written += len(event.text)
        if not self._stage:
            self._show_status(f"{self._working} {plural(self._written, 'character')}")

    def _end(self, event: Event) -> None:
        seconds = time.monotonic() - self._began.get(event.step, time.monotonic())
        outcome = f" → {event.text.replace('_', ' ')}" if event.text and event.text != "done" else ""
        self._status = self._stage = ""
        self._line(f"· {event.step}{outcome} ({seconds:.1f} s)")

    def _is_time(self, *, is_long: bool) -> bool:
        now = time.monotonic()
        is_soon = not is_long and now - self._opened < _FIRST_S
        if is_soon or now - self._shown_at < (_EVERY_S if self._live else _LINES_EVERY_S):
            return False
        self._shown_at = now
        return True

    def _show_status(self, text: str) -> None:
        if self._live:
            self._status = _cut_to_width(escape_line(text), shutil.get_terminal_size().columns - 1)
            self._write(_CLEAR, self._status)

    def _line(self, text: str) -> None:
        """Write a line, and the changing line again below it."""
        self._write(_CLEAR if self._live else "", f"{text}\n{self._status}")

    def _write(self, control: str, text: str) -> None:
        """Write, ignoring errors: a full or closed log must not end the run."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(control + escape_controls(text))
            self._stream.flush()


def _cut_to_width(text: str, columns: int) -> str:
    """The beginning of a text that takes at most so many columns: a line that wraps could not be cleared."""
    taken = 0
    for at, character in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if taken > columns:
            return text[:at]
    return text


def _estimate_seconds(elapsed: float, done: int, left: int) -> float | None:
    """The time that the rest takes at the speed so far; `None` while too little is done to tell."""
    return None if elapsed < _TELLING_S or done <= 0 or left < 0 else elapsed * left / done
