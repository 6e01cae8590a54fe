"""Call a verb from a terminal: show its progress, let Ctrl-C cancel it, print its result, choose the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bottega.cli.first_index import confirm_first_index
from bottega.cli.options import find_locations
from bottega.cli.output import Output
from bottega.cli.painting import paint_code
from bottega.cli.progress import Progress
from bottega.cli.terminal import escape_controls, escape_line, render_json, write_error, write_styled
from bottega.errors import GateFailed, Incomplete, StorageError

if TYPE_CHECKING:
    from bottega.verbs import VerbRequest, VerbResult
    from bottega.workshop import Event, RunHandle, Workshop

# Formats for other programs, which are written without escaping.
_DATA = frozenset({"html", "svg", "sarif", "github"})
_EXIT_CODES = {"passed": 0, "failed": 1, "incomplete": 4}
_CANCEL_WAIT_S = 30.0


def call(
    workshop: Workshop,
    request: VerbRequest,
    *,
    watch: Callable[[Event], None] | None = None,
    is_confirmed: bool = False,
) -> Any:
    """Run a request and show its progress; `watch` receives every event first.

    Where the directory is no repository and not indexed yet, ask first, unless that is `is_confirmed`.
    """
    if request.uses_index and not is_confirmed:
        confirm_first_index(workshop)
    return follow(workshop.start(request), watch=watch)


def follow(handle: RunHandle[Any], *, watch: Callable[[Event], None] | None = None) -> Any:
    """Show the progress of a run until it ends, and return its result. Ctrl-C cancels the run, a second one exits."""
    seen = 0
    with Progress(sys.stderr) as progress:

        def show(event: Event) -> None:
            nonlocal seen
            seen = event.seq
            if watch is not None:
                watch(event)
            progress.show(event)

        try:
            for event in handle.events():
                show(event)
        except KeyboardInterrupt:
            handle.cancel("Ctrl-C")
            handle.wait(_CANCEL_WAIT_S)
            if not handle.is_running:
                for event in handle.events(seen):
                    show(event)
            raise
    return handle.result()


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
