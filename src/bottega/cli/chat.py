"""`bottega chat`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.ask import MODES, chosen, embed_behind_if_needed, streaming
from bottega.cli.options import model_options, opened
from bottega.cli.plain import complain, plain
from bottega.errors import BottegaError, Incomplete

if TYPE_CHECKING:
    from bottega.ask import Answered
    from bottega.workshop import Workshop

_HELP = """/sources        what the last answer rests on
/mode [MODE]    search by MODE from now on; without one, let the router choose
/quit           leave (or Ctrl-D)
"""


@click.command(short_help="Ask in a conversation.")
@click.argument("name", default="chat")
@click.option("--lang", "language", metavar="LANG", default="", help="The language of the conversation.")
@click.option("--mode", type=click.Choice(MODES), help="Search this way, and do not ask the router.")
@click.option("--pipeline", "pipeline_name", metavar="NAME", help="Another pipeline, or its file: ask-rules, …")
@click.option("--no-model", is_flag=True, help="Only evidence, whatever models there are.")
@model_options
def chat(name: str, language: str, mode: str | None, pipeline_name: str | None, no_model: bool, **shared: Any) -> int:
    """Ask one question after another in the conversation NAME; /help lists what else can be said."""
    with opened(**shared, look_for_models=not no_model) as workshop:
        workshop.journal.chats.get(name)
        session = _Session(workshop, name, language.strip().lower(), mode or "", pipeline_name, no_model=no_model)
        session.run()
        embed_behind_if_needed(workshop, shared)
    return 0


class _Session:
    def __init__(
        self, workshop: Workshop, name: str, language: str, mode: str, pipeline: str | None, *, no_model: bool
    ) -> None:
        self._workshop = workshop
        self._name, self._language, self._mode = name, language, mode
        self._pipeline = chosen(workshop, pipeline, no_model=no_model)
        self._stream = streaming(workshop, "text")
        self._last: Answered | None = None

    def run(self) -> None:
        known = len(self._workshop.journal.chats.get(self._name).turns)
        complain(f"conversation {self._name}, {known} turns; /help lists commands\n")
        while (line := self._read()) is not None:
            if line.startswith("/"):
                if self._command(line) is None:
                    return
            elif line:
                self._answer(line)

    def _read(self) -> str | None:
        """A line without its end; `None` at the end of input."""
        if sys.stdin.isatty():
            try:
                return input("> ").strip()
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _command(self, line: str) -> str | None:
        """What was done; `None` to leave."""
        word, _, rest = line.partition(" ")
        if word in {"/quit", "/exit", "/q"}:
            return None
        if word == "/sources":
            sources = self._last.sources if self._last else ()
            listed = "".join(f"  {s.path}:{s.first}-{s.last} {s.symbol}\n" for s in sources)
            sys.stdout.write(plain(listed or "no sources\n"))
        elif word == "/mode" and rest.strip() in {"", *MODES}:
            self._mode = rest.strip()
            complain(f"mode: {self._mode or 'as the router says'}\n")
        elif word == "/mode":
            complain(f"there is no mode {rest.strip()}; modes: {', '.join(MODES)}\n")
        else:
            complain(_HELP if word == "/help" else f"there is no command {word}\n{_HELP}")
        return word

    def _answer(self, question: str) -> None:
        """A failure is told and the conversation goes on."""
        from bottega.ask import Order, ask
        from bottega.cli.answers import deliver

        try:
            order = Order(question, self._language, self._name, self._mode)
            self._last = ask(order, engine=self._workshop.engine, pipeline=self._pipeline)
            deliver(self._last, "text", self._stream)
        except Incomplete as error:
            complain(f"{error}\n")
        except BottegaError as error:
            complain(f"bottega: {error}\n" + (f"  hint: {error.hint}\n" if error.hint else ""))
