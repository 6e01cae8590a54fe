"""Manual pages, written from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import click

from bottega import __version__
from bottega.cli.commands import COMMANDS

_SECTION = "1"


def write_pages(group: click.Group) -> Mapping[str, str]:
    """Every manual page by its file name: one for the program, one for each command with its subcommands."""
    context = click.Context(group, info_name="bottega")
    pages = {"bottega.1": _write_program(group, context)}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name)
        pages[f"bottega-{name}.1"] = _write_command(command, inner)
    return pages


def _write_program(group: click.Group, context: click.Context) -> str:
    lines = [_head("bottega"), *_section("NAME", [_escape(f"bottega - {_first_sentence(group)}")])]
    lines += _section("SYNOPSIS", [".B bottega", _escape(" ".join(group.collect_usage_pieces(context)))])
    lines += _section("DESCRIPTION", _paragraphs(group.help or ""))
    lines += _section(
        "COMMANDS",
        [
            line
            for name, entry in COMMANDS.items()
            for line in (".TP", f".BR bottega\\-{name} ({_SECTION})", _escape(entry.help))
        ],
    )
    return "\n".join([*lines, *_section("OPTIONS", _options(group, context))]) + "\n"


def _write_command(command: click.Command, context: click.Context) -> str:
    name = context.command_path.replace(" ", "-")
    entry = COMMANDS[context.info_name or ""]
    lines = [_head(name), *_section("NAME", [_escape(f"{name} - {entry.help.rstrip('.')}")])]
    lines += _section("SYNOPSIS", _synopsis(command, context))
    lines += _section("DESCRIPTION", _paragraphs(command.help or ""))
    lines += _section("OPTIONS", _options(command, context))
    for sub, inner in _subcommands(command, context):
        lines += _section(f"COMMAND {sub.upper()}", _describe_subcommand(*inner))
    lines += _section("EXAMPLE", [".nf", _escape(entry.example), ".fi"])
    lines += _section("SEE ALSO", [f".BR bottega ({_SECTION})", _escape(f"bottega docs {context.info_name}")])
    return "\n".join(lines) + "\n"


def _subcommands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, tuple[click.Command, click.Context]]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield name, (inner, click.Context(inner, parent=context, info_name=name))


def _describe_subcommand(command: click.Command, context: click.Context) -> list[str]:
    return [*_synopsis(command, context), *_paragraphs(command.help or ""), *_options(command, context)]


def _synopsis(command: click.Command, context: click.Context) -> list[str]:
    return [f".B {_escape(context.command_path)}", _escape(" ".join(command.collect_usage_pieces(context)))]


def _options(command: click.Command, context: click.Context) -> list[str]:
    options = [entry for entry in command.get_params(context) if isinstance(entry, click.Option)]
    records = [option.get_help_record(context) for option in options]
    return [
        line
        for record in records
        if record is not None
        for line in (".TP", f".B {_escape(record[0])}", _escape(record[1]))
    ]


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n", 1)[0].split()).rstrip(".")


def _head(name: str) -> str:
    return f'.TH "{_escape(name.upper())}" {_SECTION} "" "bottega {__version__}" "bottega"'


def _section(title: str, lines: list[str]) -> list[str]:
    return [f".SH {title}", *lines] if lines else []


def _paragraphs(text: str) -> list[str]:
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip("\b\n ")]
    return [line for block in blocks for line in (".PP", _escape(" ".join(block.replace("\b", "").split())))]


def _escape(text: str) -> str:
    """Text as roff shows it: no line is read as a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
