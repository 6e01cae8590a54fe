"""Call a verb from a terminal: show its progress, let Ctrl-C cancel it, print its result, choose the exit code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from bottega.cli.first_index import confirm_first_index
from bottega.cli.options import find_locations
from bottega.cli.output import Output
from bottega.cli.painting import paint_code
from bottega.cli.progress import Progress
from bottega.cli.terminal import escape_controls, escape_line, render_json, write_error, write_styled
from bottega.errors import Cancelled, GateFailed, Incomplete, StorageError

if TYPE_CHECKING:
    from bottega.verbs import VerbRequest, VerbResult
    from bottega.workshop import Event, RunHandle, Workshop

# Formats for other programs, which are written without escaping.
_DATA = frozenset({"html", "svg", "sarif", "github"})
_EXIT_CODES = {"passed": 0, "failed": 1, "incomplete": 4}
_CANCEL_WAIT_S = 30.0
# Events that change the last line of a terminal, which a streamed text occupies.
_PASSING = frozenset({"text", "progress", "call"})


class RunInterrupted(Cancelled):
    """A run was ended by Ctrl-C or from another terminal; `run_id` is "" where it is not recorded."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id)
        self.run_id = run_id


class Stream(Protocol):
    """Shows the text of some events on standard output while they arrive."""

    def takes(self, event: Event) -> bool:
        """Whether the stream shows this event."""

    @property
    def is_printing(self) -> bool:
        """Whether a text is on the terminal to which more may be added."""

    def show(self, event: Event) -> None: ...

    def end_line(self) -> None:
        """End the line that the text is on, if it is on one."""


def call(workshop: Workshop, request: VerbRequest, *, stream: Stream | None = None, is_confirmed: bool = False) -> Any:
    """Run a request and show its progress; `stream` shows the events that it takes.

    Where the directory is no repository and not indexed yet, ask first, unless that is `is_confirmed`.
    """
    if request.uses_index and not is_confirmed:
        confirm_first_index(workshop)
    return follow(workshop.start(request), stream=stream)


def follow(handle: RunHandle[Any], *, stream: Stream | None = None) -> Any:
    """Show the progress of a run until it ends, and return its result. Ctrl-C cancels the run, a second one exits."""
    with _Screen(stream) as screen:
        seen = 0
        try:
            for event in handle.events():
                seen = event.seq
                screen.show(event)
        except KeyboardInterrupt:
            screen.hide_echo()
            handle.cancel("Ctrl-C")
            handle.wait(_CANCEL_WAIT_S)
            if not handle.is_running:
                for event in handle.events(seen):
                    screen.show(event)
            raise RunInterrupted(handle.id if handle.is_recorded else "") from None
    try:
        return handle.result()
    except Cancelled:
        raise RunInterrupted(handle.id if handle.is_recorded else "") from None
    except BaseException:
        if stream is not None:
            stream.end_line()
        raise


class _Screen:
    """The events of a run on a terminal: a text that is streamed, and the progress, on lines of their own."""

    def __init__(self, stream: Stream | None) -> None:
        self._stream = stream
        self._progress = Progress(sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the cursor at the start of a line: an error may follow. A finished text ends its line itself."""
        self._progress.clear()

    def show(self, event: Event) -> None:
        stream = self._stream
        if stream is not None and stream.takes(event):
            self._progress.clear()
            stream.show(event)
            return
        if stream is not None and stream.is_printing:
            if event.kind in _PASSING:
                return
            stream.end_line()
        self._progress.show(event)

    def hide_echo(self) -> None:
        """Remove the `^C` that the terminal wrote."""
        if self._stream is not None and self._stream.is_printing:
            self._stream.end_line()
        else:
            self._progress.clear_echo()


def print_result(result: VerbResult, output: Output, *, text: str | None = None) -> int:
    """Print a result and its notes, and return the exit code; `text` replaces its rendering."""
    if output.form == "json":
        write_output(render_json(result.as_json()), output)
        return check_gate(result)
    rendered = result.render(output.form) if text is None else text
    write_output(rendered if output.form in _DATA else escape_controls(rendered), output)
    show_notes(result)
    return check_gate(result)


def show_notes(result: VerbResult) -> None:
    sys.stdout.flush()
    for note in result.notes:
        write_error(f"{escape_line(note)}\n")


def check_gate(result: VerbResult) -> int:
    """Return the exit code of the gate; raise where the gate did not pass and gives a reason."""
    if result.gate != "passed" and result.gate_reason:
        problem = GateFailed if result.gate == "failed" else Incomplete
        raise problem(result.gate_reason, hint=result.gate_hint)
    return _EXIT_CODES[result.gate]


def write_output(text: str, output: Output) -> None:
    """Write to standard output, through a pager where it is longer than the terminal, or to a file."""
    if output.file is not None:
        _write_file(text, output.file)
        return
    if output.form == "text":
        has_colour = output.has_colour
        text = find_locations().show(paint_code(text) if has_colour else text, is_styled=has_colour)
        if has_colour:
            write_styled(text)
            return
    sys.stdout.write(text)
    sys.stdout.flush()


def _write_file(text: str, file: Path) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}") from None
    write_error(f"bottega: written to {file}\n")
