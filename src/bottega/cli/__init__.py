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
from click.shell_completion import CompletionItem

from bottega import __version__
from bottega.cli.commands import COMMANDS, GROUPS
from bottega.cli.terminal import escape_terminal_output, write_error
from bottega.errors import BottegaError, Cancelled, StorageError

__all__ = ["COMMANDS", "cli", "main"]


class LazyGroup(click.Group):
    """A group that lists every verb with its one-line help without importing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        module, _, attribute = entry.place.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        command.epilog = f"\b\nExample: {entry.example}\nMore:    bottega docs {cmd_name}"
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in COMMANDS if name.startswith(incomplete)]
        if names or not incomplete.startswith("-"):
            return [CompletionItem(name, help=COMMANDS[name].help) for name in names]
        return super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        width = max(len(name) for name in COMMANDS)
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), command.help) for name, command in commands.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]}?" if close else " `bottega --help` lists them."
            raise click.UsageError(f"there is no verb {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nStart:  bottega docs quickstart\nSetup:  bottega doctor",
)
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
    except (KeyboardInterrupt, Cancelled, click.exceptions.Abort) as interrupt:
        return _report_interrupt(interrupt)
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


def _report_interrupt(interrupt: BaseException) -> int:
    """Say that the work was interrupted, and which run goes on from where it stopped."""
    run_id = getattr(interrupt, "run_id", "")
    hint = f"`bottega resume {run_id}` goes on with this run." if run_id else ""
    return _report_error("interrupted", hint, 130)


def _report_error(message: str, hint: str, code: int) -> int:
    write_error(f"bottega: {message}\n" + (f"  hint: {hint}\n" if hint else ""))
    return code
