"""`bottega completion`: shell completion, and manual pages."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from bottega.errors import StorageError

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Install shell completion and manual pages.")
@click.argument("what", type=click.Choice([*SHELLS, "install", "uninstall"]))
def completion(what: str) -> int:
    """Print the completion of a shell, or install it for every shell here, with the manual pages, for this user."""
    if what in SHELLS:
        sys.stdout.write(_write_completion(what))
        return 0
    if what == "uninstall":
        return _uninstall()
    for path, text in _list_files(tuple(shell for shell in SHELLS if shutil.which(shell))).items():
        _write(path, text)
        if path.suffix != ".1" or path.name == "bottega.1":
            sys.stdout.write(f"{path}\n")
    if shutil.which("zsh"):
        folder = _place("zsh").parent
        sys.stderr.write(f"zsh: put `fpath=({folder} $fpath)` before `compinit` in ~/.zshrc\n")
    sys.stderr.write("Open a new shell; `man bottega` shows the manual.\n")
    return 0


def _uninstall() -> int:
    for path in _list_files(SHELLS):
        if path.is_file():
            path.unlink()
            if path.suffix != ".1" or path.name == "bottega.1":
                sys.stdout.write(f"removed {path}\n")
    return 0


def _list_files(shells: tuple[str, ...]) -> Mapping[Path, str]:
    from bottega.cli import cli
    from bottega.cli.manual import write_pages

    folder = _data_folder() / "man" / "man1"
    return dict(_list_completions(shells)) | {folder / name: text for name, text in write_pages(cli).items()}


def _list_completions(shells: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    for shell in shells:
        yield _place(shell), _write_completion(shell)


def _write_completion(shell: str) -> str:
    from bottega.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None
    source = kind(cli, {}, "bottega", "_BOTTEGA_COMPLETE")
    return f"{(source.source_template % source.source_vars()).strip()}\n"


def _place(shell: str) -> Path:
    """Where a shell looks for the completions of a user."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": _data_folder() / "bash-completion" / "completions" / "bottega",
        "zsh": _data_folder() / "zsh" / "site-functions" / "_bottega",
        "fish": config / "fish" / "completions" / "bottega.fish",
    }[shell]


def _data_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}", hint="Check the permissions.") from None
