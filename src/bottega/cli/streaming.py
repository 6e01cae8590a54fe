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
        self._ends_line = True

    def takes(self, event: Event) -> bool:
        return event.kind == "text" and event.name == "answer"

    @property
    def is_printing(self) -> bool:
        """Whether a part of the answer is on the terminal and more may come."""
        return bool(self._printed)

    def show(self, event: Event) -> None:
        self._printed += event.text
        self._write(event.text)

    def end_line(self) -> None:
        """Make sure that what is printed next does not continue a line of the answer."""
        if not self._ends_line:
            self._write("\n")

    def finish(self, result: AskResult) -> None:
        """Print the rest of the answer, or all of it if the final answer differs from what was printed."""
        shown = self._printed.strip()
        if result.answer.startswith(shown):
            self._write(result.answer[len(shown) :] + "\n")
        else:
            self._write(f"\n\n(the model started over)\n\n{result.answer}\n")
        self._printed = ""
        self._write(result.render_sources())
        show_notes(result)

    def _write(self, text: str) -> None:
        sys.stdout.write(escape_controls(text))
        sys.stdout.flush()
        self._ends_line = text.endswith("\n") if text else self._ends_line
