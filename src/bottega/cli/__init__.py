"""The `bottega` command. Each verb is a module of its own, imported when it is used."""

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
from bottega.cli.terminal import escape_terminal_output, write_error
from bottega.errors import BottegaError, Cancelled, StorageError

COMMANDS: dict[str, tuple[str, str]] = {
    "index": ("bottega.cli.index:index", "Index the repository, or refresh its index."),
    "search": ("bottega.cli.search:search", "Search the code for a name, a question, or a whole issue."),
    "show": ("bottega.cli.show:show", "Show a symbol or a span of lines, with what uses it and what it uses."),
    "graph": ("bottega.cli.graph:graph", "Walk the graph around a symbol or a file: text, JSON, Mermaid, SVG."),
    "map": ("bottega.cli.map:map_", "An overview of the repository within a token budget."),
    "similar": ("bottega.cli.similar:similar", "Find clones of code, and code like it."),
    "unused": ("bottega.cli.unused:unused", "List definitions that nothing uses, with how sure that is."),
    "stats": ("bottega.cli.stats:stats", "Show the size and content of the knowledge base."),
    "enrich": ("bottega.cli.enrich:enrich", "Have a model describe files: purpose, module, domain, concepts."),
    "ask": ("bottega.cli.ask:ask", "Answer a question about the code, with checked citations."),
    "chat": ("bottega.cli.chat:chat", "Ask in a conversation."),
    "chats": ("bottega.cli.chats:chats", "List, show and delete conversations."),
    "review": ("bottega.cli.review:review", "Review a change: a panel, a filter, a discussion, one verdict."),
    "investigate": (
        "bottega.cli.investigate:investigate",
        "Explain an unknown directory and flag what should worry its owner.",
    ),
    "scan": ("bottega.cli.scan:scan", "Scan a directory without a model."),
    "write": ("bottega.cli.write:write", "Write code, run the request's examples on it, and say what was checked."),
    "init": ("bottega.cli.init:init", "Detect models and write a short bottega.toml."),
    "config": ("bottega.cli.config:config", "Show and check settings."),
    "trust": ("bottega.cli.trust:trust", "Show a repository's own settings, and trust them."),
    "models": ("bottega.cli.models:models", "Show, probe, pull and remove models."),
    "pipelines": ("bottega.cli.pipelines:pipelines", "List, show, check and draw pipelines."),
    "runs": ("bottega.cli.runs:runs", "Show runs with steps, calls and cost; watch or cancel one."),
    "resume": ("bottega.cli.resume:resume", "Continue a run that was cancelled, interrupted or failed."),
    "replay": ("bottega.cli.replay:replay", "Execute a finished run again from its records."),
    "call": ("bottega.cli.call:call", "Call any verb with a JSON request, and print its JSON result."),
}


class LazyGroup(click.Group):
    """A group that lists every verb with its one-line help without importing it."""

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
    escape_terminal_output()
    # Plugins of pydantic are other packages' code, and looking for them takes 18 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    code = _run_guarded(lambda: cli.main(args=arguments, prog_name="bottega", standalone_mode=False))
    sys.exit(_flush_output(code))


def _silence(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that the final flush of the process cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run_guarded(work: Callable[[], Any]) -> int:
    try:
        if sys.stdout is None:
            raise StorageError(
                "standard output is closed", hint="Redirect it to a file or a pipe: results are written there."
            )
        result = work()
    except BottegaError as error:
        return _report_error(str(error), error.hint, error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stdout.write(error.format_message() + "\n")
        return 2
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "bottega"
        return _report_error(error.format_message(), f"`{path} --help` shows how.", 2)
    except click.ClickException as error:
        return _report_error(error.format_message(), "", 2)
    except (KeyboardInterrupt, Cancelled, click.exceptions.Abort):
        return _report_error(
            "interrupted", "If a run was under way, `bottega runs` names it, and `bottega resume RUN` goes on.", 130
        )
    except BrokenPipeError:
        return 3
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        return _report_error(f"{error.strerror or error}{place}", "Check the disk and its permissions.", 3)
    return result if isinstance(result, int) else 0


def _flush_output(code: int) -> int:
    """Flush the output and return the exit code; a closed pipe causes no traceback."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = code or 3
        _silence(sys.stdout)
    except OSError as error:
        code = _report_error(f"standard output: {error.strerror}", "The output is incomplete.", code or 3)
        _silence(sys.stdout)
    try:
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    return code


def _report_error(message: str, hint: str, code: int) -> int:
    write_error(f"bottega: {message}\n" + (f"  hint: {hint}\n" if hint else ""))
    return code
