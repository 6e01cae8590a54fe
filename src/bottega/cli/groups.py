"""Groups of commands of which one is the default."""

from __future__ import annotations

from typing import Any

import click

_HELP = frozenset({"-h", "--help"})


class DefaultGroup(click.Group):
    """A group that runs its default command where none is named, or where only options are given.

    With `takes_arguments`, a first word that names no command is an argument of the default one.
    """

    def __init__(self, *arguments: Any, default: str, takes_arguments: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._default = default
        self._takes_arguments = takes_arguments

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        is_option = first.startswith("-") and first not in _HELP
        is_argument = self._takes_arguments and first not in self.commands and first not in _HELP
        if not first or is_option or is_argument:
            args = [self._default, *args]
        return super().parse_args(ctx, args)
