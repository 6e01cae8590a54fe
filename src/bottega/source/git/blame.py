"""Which commit changed some lines last."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from bottega.errors import InputError
from bottega.source.git import Git
from bottega.source.span import Span

_SECONDS = 5.0
_HEADER = re.compile(rb"^([0-9a-f]{40,64}) \d+ \d+")


class LineChange(NamedTuple):
    """The youngest commit of some lines; `is_committed` unless lines were changed since. `commit` may be ""."""

    commit: str
    author: str
    written: str
    message: str
    is_committed: bool


def find_last_change(git: Git, span: Span) -> LineChange | None:
    """Blame the lines; `None` where git cannot tell in time: a new file, a shallow history, a very long one."""
    lines = f"-L{span.first},{span.last}"
    try:
        printed = git.ask("blame", "--porcelain", lines, "--", span.path, seconds=_SECONDS)
    except InputError:
        return None
    if not printed:
        return None
    youngest: tuple[int, str, str, str] = (-1, "", "", "")
    is_committed = True
    commit, author, written = "", "", 0
    for line in printed.split(b"\n"):
        if header := _HEADER.match(line):
            commit = header[1].decode()
            is_committed &= bool(commit.strip("0"))
        elif line.startswith(b"author "):
            author = line[7:].decode("utf-8", "replace")
        elif line.startswith(b"author-time "):
            written = int(line[12:])
        elif line.startswith(b"summary ") and commit.strip("0"):
            youngest = max(youngest, (written, commit, author, line[8:].decode("utf-8", "replace")))
    time = datetime.fromtimestamp(youngest[0], UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if youngest[1] else ""
    return LineChange(youngest[1], youngest[2], time, youngest[3], is_committed)
