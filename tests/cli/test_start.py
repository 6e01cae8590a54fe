"""Starting is quick because nothing heavy is loaded, and every verb explains itself."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from bottega import __version__
from bottega.cli import COMMANDS, cli
from tests.cli.bottega import run

OWN = {"bottega", "bottega.cli", "bottega.cli.commands", "bottega.cli.terminal", "bottega.errors"}
OUTSIDE = {"click"}


def test_importing_the_command_line_loads_only_what_it_may() -> None:
    """The list of modules that `import bottega.cli` may load, beyond the standard library."""
    code = "import sys; before = set(sys.modules); import bottega.cli; print(*sorted(set(sys.modules) - before))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = {name for name in shown.split() if name.split(".")[0] not in sys.stdlib_module_names}
    assert {name for name in loaded if name.startswith("bottega")} == OWN
    assert {name.split(".")[0] for name in loaded} - {"bottega"} == OUTSIDE


def test_the_version_is_told(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).out == f"bottega {__version__}\n"


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_short_help_in_the_list_is_the_verb_s_own(verb: str) -> None:
    module, _, attribute = COMMANDS[verb].place.partition(":")
    command = getattr(import_module(module), attribute)
    assert command.short_help == COMMANDS[verb].help


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        inner = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
        return [path, *(found for name, entry in inner if entry for found in _commands(entry, (*path, name)))]
    return [path]


@pytest.mark.parametrize("path", _commands(cli), ids=" ".join)
def test_every_command_and_option_has_a_help_text(path: tuple[str, ...]) -> None:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{' '.join(path)} {parameter.opts}"


def test_an_unknown_verb_gets_a_suggestion(tmp_path: Path) -> None:
    ended = run("wirte", "x", cwd=tmp_path)
    assert ended.code == 2
    assert "Did you mean write?" in ended.err


def test_python_dash_m_is_the_same_command(tmp_path: Path) -> None:
    assert "Find code:" in run("--help", cwd=tmp_path).out
