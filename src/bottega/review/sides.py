"""Files on one side of a change: in the working tree, in git's index or in a commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bottega.review.masking import is_masked_form
from bottega.source import FileChange
from bottega.source.files import read_regular_file
from bottega.source.git import Git, open_git
from bottega.source.text import decode

WORKING_TREE, STAGED, UNKNOWN = "working tree", "index", "unknown"
_LARGEST_FILE = 50_000_000


def open_texts(root: Path, side: str) -> Callable[[str], str | None]:
    """Read files as they are after the change; nothing outside of the root, nothing behind a link."""
    git = open_git(root)
    if side in {WORKING_TREE, UNKNOWN}:
        return lambda path: _read_from_disk(root, path)

    def text(path: str) -> str | None:
        if git is None:
            return None
        data = read_content(git, side, path)
        return decode(data) if data is not None else None

    return text


def read_content(git: Git, side: str, path: str) -> bytes | None:
    """The bytes of a file in the working tree, in git's index or in a commit."""
    if side == WORKING_TREE:
        try:
            return read_regular_file(git.root / path, limit=_LARGEST_FILE, below=git.root)
        except OSError:
            return None
    return git.ask("cat-file", "blob", f":./{path}" if side == STAGED else f"{side}:./{path}")


def _read_from_disk(root: Path, path: str) -> str | None:
    place = root / path
    try:
        return decode(read_regular_file(place, limit=_LARGEST_FILE, below=root))
    except OSError:
        return None


def is_new_side(text: str, file: FileChange) -> bool:
    """Whether a text is the new side of a change, whose secrets may be masked."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return all(
        line.new <= len(lines) and is_masked_form(line.text, lines[line.new - 1])
        for hunk in file.hunks
        for line in hunk.lines
        if line.new
    )
