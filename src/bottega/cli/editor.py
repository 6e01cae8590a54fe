"""`bottega open`: a location, a symbol or a search hit in the editor."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bottega.amounts import plural
from bottega.cli.calling import call, write_output
from bottega.cli.options import find_locations, open_workshop, settings_options
from bottega.cli.output import TEXT
from bottega.errors import InputError, StorageError

if TYPE_CHECKING:
    from bottega.workshop import Workshop

_LOCATION = re.compile(r"(?P<path>.+?)(?::(?P<lines>(?P<first>\d{1,9})(?:-\d{1,9})?))?$", re.DOTALL)
# How an editor is told of a line; others get the file alone.
_EDITORS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("vi", "vim", "nvim", "gvim", "mvim", "nano", "emacs", "emacsclient", "kak", "micro", "joe"),
        ("+{line}", "{file}"),
    ),
    **dict.fromkeys(("hx", "helix", "subl", "zed", "zeditor"), ("{file}:{line}",)),
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), ("--goto", "{file}:{line}")),
    **dict.fromkeys(
        ("idea", "pycharm", "goland", "webstorm", "clion", "rider", "rubymine", "kate"), ("--line", "{line}", "{file}")
    ),
}


class Place(NamedTuple):
    """`lines` is empty for a whole file."""

    path: str
    line: int
    lines: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lines}" if self.lines else self.path


@click.command("open", short_help="Open a location, a symbol or a search hit in your editor.")
@click.argument("what")
@click.option("-n", "--number", type=click.IntRange(1, 100), default=1, show_default=True, help="Which of several.")
@click.option("--print", "is_printed", is_flag=True, help="Print the location instead.")
@settings_options
def open_(what: str, number: int, is_printed: bool, **shared: Any) -> int:
    """Open WHAT in $VISUAL or $EDITOR: PATH, PATH:LINE, a name, a node key, or else the best hit of a search."""
    with open_workshop(**shared) as workshop:
        place = _find_path(what, workshop.root) or _find_symbol(workshop, what, number)
        if is_printed:
            write_output(f"{place}\n", TEXT)
            return 0
        return _edit(workshop.root / place.path, place.line)


def _find_path(what: str, root: Path) -> Place | None:
    match = _LOCATION.match(find_locations().read_location(what))
    if match is None or not (root / match["path"]).is_file():
        return None
    return Place(match["path"], max(int(match["first"] or 1), 1), match["lines"] or "")


def _find_symbol(workshop: Workshop, what: str, number: int) -> Place:
    """The definitions of a name, else the hits of a search."""
    from bottega.retrieve import SearchRequest, ShowRequest

    try:
        spans = [node.span for node in call(workshop, ShowRequest(what=what)).nodes if node.span is not None]
    except InputError:
        spans = []
    if not spans:
        spans = [hit.span for hit in call(workshop, SearchRequest(query=what, by="symbol", limit=number)).hits]
    if not spans:
        raise InputError(f"nothing is found for {what!r}", hint="`bottega search` shows what is found for other words.")
    if number > len(spans):
        raise InputError(f"only {plural(len(spans), 'place')} found for {what!r}", hint="Choose a smaller --number.")
    span = spans[number - 1]
    return Place(span.path, span.first, f"{span.first}-{span.last}")


def _edit(file: Path, line: int) -> int:
    """Run the editor and return its exit code."""
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    if not words or shutil.which(words[0]) is None:
        raise InputError(
            f"the editor {' '.join(words)!r} is not installed", hint="Set EDITOR, or use --print for the location."
        )
    name = Path(words[0]).name
    place = [word.format(file=file, line=line) for word in _EDITORS.get(name, ("{file}",))]
    sys.stdout.flush()
    try:
        return subprocess.run([*words, *place], check=False).returncode and 3
    except OSError as error:
        raise StorageError(f"{name} cannot be run: {error.strerror}", hint="Set EDITOR to another editor.") from None
