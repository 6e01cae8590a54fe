"""Progress on standard error: one changing line on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from bottega.pipeline import Event


def announce(text: str) -> None:
    sys.stderr.write(f"bottega: {text}\n")


def show_event(stream: TextIO) -> Callable[[Event], None]:
    """Prints which step is at work, how it ended and how long it took."""
    started: dict[str, float] = {}

    def show(event: Event) -> None:
        if event.what == "began":
            started[event.step] = time.monotonic()
            if stream.isatty():
                stream.write(f"\r\x1b[K· {event.step}: {event.detail}")
                stream.flush()
        elif event.what == "ended":
            seconds = time.monotonic() - started.get(event.step, time.monotonic())
            outcome = f" → {event.detail}" if event.detail and event.detail != "done" else ""
            clear = "\r\x1b[K" if stream.isatty() else ""
            stream.write(f"{clear}· {event.step}{outcome} ({seconds:.1f} s)\n")
            stream.flush()
        elif event.what == "remark":
            clear = "\r\x1b[K" if stream.isatty() else ""
            stream.write(f"{clear}  {event.detail}\n")

    return show
