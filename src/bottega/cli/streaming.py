"""Print an answer on a terminal while the model writes it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bottega.cli.calling import show_notes
from bottega.cli.output import Output
from bottega.cli.terminal import escape_controls

if TYPE_CHECKING:
    from bottega.ask import AskResult
    from bottega.workshop import Event


def open_stream(output: Output) -> AnswerStream | None:
    """A stream for an answer in text form on a terminal; `None` otherwise."""
    is_shown = output.form == "text" and output.file is None and sys.stdout.isatty()
    return AnswerStream() if is_shown else None


class AnswerStream:
    """Prints the checked sentences of an answer as they arrive, then the rest."""

    def __init__(self) -> None:
        self._printed = ""

    def show(self, event: Event) -> None:
        if event.kind == "text" and event.name == "answer":
            self._printed += event.text
            sys.stdout.write(escape_controls(event.text))
            sys.stdout.flush()

    def finish(self, result: AskResult) -> None:
        """Print the rest of the answer, or all of it if the final answer differs from what was printed."""
        shown = self._printed.strip()
        if result.answer.startswith(shown):
            sys.stdout.write(escape_controls(result.answer[len(shown) :]) + "\n")
        else:
            sys.stdout.write(escape_controls(f"\n\n(the model started over)\n\n{result.answer}\n"))
        self._printed = ""
        sys.stdout.write(escape_controls(result.render_sources()))
        show_notes(result)
