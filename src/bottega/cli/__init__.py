"""The `bottega` command. Each verb lives in a file of its own and is loaded when it is used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

from bottega import __version__
from bottega.errors import BottegaError

COMMANDS: dict[str, tuple[str, str]] = {
    "write": ("bottega.cli.write:write", "Write runnable code: coder, judge, reviewer when needed."),
    "init": ("bottega.cli.init:init", "Look at what is here and write a short bottega.toml."),
    "config": ("bottega.cli.config:config", "Show and check settings."),
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
    sys.exit(_guarded(lambda: cli.main(args=arguments, prog_name="bottega", standalone_mode=False)))


def _guarded(work: Callable[[], Any]) -> int:
    try:
        result = work()
    except BottegaError as error:
        _complain(str(error), error.hint)
        return error.exit_code
    except click.UsageError as error:
        context = f" {error.ctx.command_path}" if error.ctx else ""
        _complain(error.format_message(), f"`{context.strip() or 'bottega'} --help` shows how.")
        return 2
    except click.ClickException as error:
        _complain(error.format_message(), "")
        return 2
    except (KeyboardInterrupt, click.exceptions.Abort):
        _complain("interrupted", "`bottega resume last` goes on from here.")
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 3
    return result if isinstance(result, int) else 0


def _complain(message: str, hint: str) -> None:
    sys.stderr.write(f"bottega: {message}\n")
    if hint:
        sys.stderr.write(f"  hint: {hint}\n")
