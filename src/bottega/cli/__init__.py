"""The `bottega` command. Each verb lives in a file of its own and is loaded when it is used."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TextIO

import click

from bottega import __version__
from bottega.cli.plain import complain, guard_terminal
from bottega.errors import BottegaError, StorageError

COMMANDS: dict[str, tuple[str, str]] = {
    "index": ("bottega.cli.index:index", "Read the repository into the knowledge base, or bring it in step."),
    "search": ("bottega.cli.search:search", "Find the right place: a name, a question, or a whole issue."),
    "show": ("bottega.cli.show:show", "Show a symbol or a span of lines, with what uses it and what it uses."),
    "graph": ("bottega.cli.graph:graph", "Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG."),
    "map": ("bottega.cli.map:map_", "An overview of the repository within a budget of tokens."),
    "stats": ("bottega.cli.stats:stats", "What the knowledge base holds."),
    "enrich": ("bottega.cli.enrich:enrich", "Have a model describe files: purpose, module, domain, concepts."),
    "ask": ("bottega.cli.ask:ask", "Answer a question about the code, with citations that were re-read."),
    "chat": ("bottega.cli.chat:chat", "Ask in a conversation."),
    "chats": ("bottega.cli.chats:chats", "List, show and delete conversations."),
    "review": ("bottega.cli.review:review", "Review a change: a panel, a filter, a discussion, one verdict."),
    "investigate": (
        "bottega.cli.investigate:investigate",
        "Explain an unknown directory and flag what should worry its owner.",
    ),
    "scan": ("bottega.cli.scan:scan", "The base scan of a directory alone: no model, one walk."),
    "write": ("bottega.cli.write:write", "Write code, run the request's examples on it, and say what was checked."),
    "init": ("bottega.cli.init:init", "Look at what is here and write a short bottega.toml."),
    "config": ("bottega.cli.config:config", "Show and check settings."),
    "trust": ("bottega.cli.trust:trust", "Show what a repository's settings ask for, and let them be in force."),
    "models": ("bottega.cli.models:models", "Show, probe, pull and remove models."),
    "pipelines": ("bottega.cli.pipelines:pipelines", "List, show, check and draw pipelines."),
    "runs": ("bottega.cli.runs:runs", "Look at what was done: runs, steps, calls, cost."),
    "resume": ("bottega.cli.resume:resume", "Go on with a run that was interrupted or failed."),
    "replay": ("bottega.cli.replay:replay", "Carry a finished run out again from its records."),
}


class LazyGroup(click.Group):
    """Knows every verb and its one-line help without importing any of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]}?" if close else " `bottega --help` lists them."
            raise click.UsageError(f"there is no verb {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="bottega %(version)s")
def cli() -> None:
    """A local-first workshop for code.

    Language models, small local ones first, work on your repository under deterministic control. Data goes to
    standard output, progress to standard error. Exit codes: 0 done, 1 the gate failed, 2 usage, settings or input,
    3 model or I/O, 4 incomplete, 130 interrupted.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; every expected failure becomes one message, a hint and an exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for the life of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    guard_terminal()
    code = _guarded(lambda: cli.main(args=arguments, prog_name="bottega", standalone_mode=False))
    sys.exit(_flushed(code))


def _silenced(stream: TextIO) -> None:
    """Nothing more is written to it, so that the end of the process does not trip over it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _guarded(work: Callable[[], Any]) -> int:
    try:
        if sys.stdout is None:
            raise StorageError("standard output is closed", hint="Send it somewhere: data goes there.")
        result = work()
    except BottegaError as error:
        return _complain(str(error), error.hint, error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stdout.write(error.format_message() + "\n")
        return 2
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "bottega"
        return _complain(error.format_message(), f"`{path} --help` shows how.", 2)
    except click.ClickException as error:
        return _complain(error.format_message(), "", 2)
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _complain(
            "interrupted", "If a run was under way, `bottega runs` names it, and `bottega resume RUN` goes on.", 130
        )
    except BrokenPipeError:
        return 3
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        return _complain(f"{error.strerror or error}{place}", "Check the disk and its permissions.", 3)
    return result if isinstance(result, int) else 0


def _flushed(code: int) -> int:
    """What was printed must have arrived; a reader that left early wants no traceback."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = code or 3
        _silenced(sys.stdout)
    except OSError as error:
        code = _complain(f"standard output: {error.strerror}", "What was printed is not complete.", code or 3)
        _silenced(sys.stdout)
    try:
        sys.stderr.flush()
    except OSError:
        _silenced(sys.stderr)
    return code


def _complain(message: str, hint: str, code: int) -> int:
    complain(f"bottega: {message}\n" + (f"  hint: {hint}\n" if hint else ""))
    return code
