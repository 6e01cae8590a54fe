"""`bottega chat`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bottega.amounts import plural
from bottega.cli.ask import MODES
from bottega.cli.calling import call, check_gate, print_result
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import TEXT
from bottega.cli.streaming import open_stream
from bottega.cli.terminal import escape_controls, write_error
from bottega.errors import BottegaError, Incomplete

if TYPE_CHECKING:
    from bottega.ask import AskRequest, AskResult
    from bottega.workshop import Workshop

_HELP = """/sources        the sources of the last answer
/mode [MODE]    search by MODE from now on; without one, let the router choose
/quit           leave (or Ctrl-D)
"""


@click.command(short_help="Ask in a conversation.")
@click.argument("name", default="chat")
@click.option("--lang", "language", metavar="LANG", default="", help="The language of the conversation.")
@click.option("--mode", type=click.Choice(MODES), help="Search by this mode, without asking the router.")
@click.option("--pipeline", metavar="NAME", default="", help="Another pipeline, or its file: ask-rules, …")
@click.option("--no-model", is_flag=True, help="Answer with evidence only, even where a model is configured.")
@model_options
def chat(name: str, language: str, mode: str | None, pipeline: str, no_model: bool, **shared: Any) -> int:
    """Ask one question after another in the conversation NAME; /help lists the commands."""
    from bottega.ask import AskRequest

    request = AskRequest(
        question="", language=language, chat=name, mode=mode or "", pipeline=pipeline, no_model=no_model
    )
    with open_workshop(**shared) as workshop:
        _Conversation(workshop, request).run()
    return 0


class _Conversation:
    """Reads questions line by line and answers each with the options of the first request."""

    def __init__(self, workshop: Workshop, request: AskRequest) -> None:
        self._workshop = workshop
        self._request = request
        self._last: AskResult | None = None

    def run(self) -> None:
        from bottega.ask import ChatsRequest

        known = {chat.name: chat.turns for chat in self._workshop.call(ChatsRequest()).chats}
        name = self._request.chat
        write_error(f"conversation {name}, {plural(known.get(name, 0), 'turn')}; /help lists commands\n")
        while (line := self._read_line()) is not None:
            if line.startswith("/"):
                if self._run_command(line) is None:
                    return
            elif line:
                self._answer(line)

    def _read_line(self) -> str | None:
        """The next line without its line end; `None` at the end of input."""
        if sys.stdin.isatty():
            try:
                return input("> ").strip()
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _run_command(self, line: str) -> str | None:
        """Run a command and return its name; `None` to leave."""
        word, _, rest = line.partition(" ")
        if word in {"/quit", "/exit", "/q"}:
            return None
        if word == "/sources":
            sources = self._last.sources if self._last else ()
            listed = "".join(f"  {source.span} {source.symbol}\n" for source in sources)
            sys.stdout.write(escape_controls(listed or "no sources\n"))
        elif word == "/mode" and rest.strip() in {"", *MODES}:
            self._request = self._request.model_copy(update={"mode": rest.strip()})
            write_error(f"mode: {rest.strip() or 'as the router says'}\n")
        elif word == "/mode":
            write_error(f"there is no mode {rest.strip()}; modes: {', '.join(MODES)}\n")
        else:
            write_error(_HELP if word == "/help" else f"there is no command {word}\n{_HELP}")
        return word

    def _answer(self, question: str) -> None:
        """Answer a question; an error is printed and the conversation continues."""
        stream = open_stream(TEXT)
        try:
            request = self._request.model_copy(update={"question": question})
            self._last = call(self._workshop, request, stream=stream)
            if stream is None:
                print_result(self._last, TEXT)
            else:
                stream.finish(self._last)
                check_gate(self._last)
        except Incomplete as error:
            write_error(f"{error}\n")
        except BottegaError as error:
            write_error(f"bottega: {error}\n" + (f"  hint: {error.hint}\n" if error.hint else ""))
