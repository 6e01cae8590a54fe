"""How a command prints: its format, its file, its colours. `output_options` adds the options to a command."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from bottega.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])
Colour = Literal["auto", "always", "never"]

_SUFFIXES = {
    ".json": "json",
    ".md": "markdown",
    ".html": "html",
    ".svg": "svg",
    ".sarif": "sarif",
    ".mmd": "mermaid",
    ".txt": "text",
}


@dataclass(frozen=True, slots=True)
class Output:
    """The format of a result, the file that it is written to, and whether it is coloured."""

    form: str = "text"
    file: Path | None = None
    colour: Colour = "auto"

    @property
    def has_colour(self) -> bool:
        """Whether text is styled: on a terminal, unless NO_COLOR is set or TERM says that it cannot be."""
        if self.form != "text" or self.file is not None or self.colour == "never":
            return False
        if self.colour == "always":
            return True
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


TEXT = Output()


def output_options(*formats: str, with_file: bool = True) -> Callable[[F], F]:
    """--format, --json, --output and --color, handed to the command as `output`."""
    offered = formats or ("text", "json")

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def run(**options: Any) -> Any:
            chosen = options.pop("form")
            if options.pop("is_json", False):
                if chosen not in (None, "json"):
                    raise InputError(f"--json and --format {chosen} exclude each other", hint="Give one of them.")
                chosen = "json"
            file = _choose_file(options.pop("output_file", None))
            refuse_bad_output(file)
            form = chosen or _choose_format(file, offered)
            return function(output=Output(form, file, options.pop("colour")), **options)

        command: Any = run
        for option in reversed(_list_options(offered, with_file=with_file)):
            command = option(command)
        return command  # type: ignore[no-any-return]  # click's decorators are untyped here

    return decorate


def _list_options(offered: Sequence[str], *, with_file: bool) -> list[Any]:
    options = [
        click.option("--format", "form", type=click.Choice(offered), help=f"How to print; default: {offered[0]}.")
    ]
    if "json" in offered:
        options.append(click.option("--json", "is_json", is_flag=True, help="Short for --format json."))
    if with_file:
        options.append(
            click.option(
                "-o",
                "--output",
                "output_file",
                type=click.Path(path_type=Path),
                help="Write to a file; its suffix chooses the format, - is standard output.",
            )
        )
    options.append(
        click.option(
            "--color",
            "--colour",
            "colour",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            help="Colours and links; default: on a terminal.",
        )
    )
    return options


def _choose_file(named: Path | None) -> Path | None:
    """The file to write to, none for `-o -`, which is standard output."""
    return None if named == Path("-") else named


def _choose_format(file: Path | None, offered: Sequence[str]) -> str:
    found = _SUFFIXES.get(file.suffix.lower(), "") if file is not None else ""
    return found if found in offered else offered[0]


def refuse_bad_output(file: Path | None) -> None:
    """Raise `InputError` if the output file cannot be written, before any work is done."""
    if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
        raise InputError(
            f"{file} cannot be written: it is a directory, or its directory does not exist", hint="Name a file."
        )
