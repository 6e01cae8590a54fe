"""The base scan: one walk, no model, no other program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bottega.errors import InputError
from bottega.investigate.scan.crew import Crew
from bottega.investigate.scan.found import (
    Duplicates,
    EntryPoint,
    Folder,
    LanguageLines,
    LargeFile,
    LeftOut,
    Licence,
    RecentFile,
    Scan,
    Signals,
    Suspect,
    Tally,
)
from bottega.investigate.scan.gather import Gathering
from bottega.investigate.scan.kinds import CATEGORIES, Category
from bottega.investigate.scan.walking import Options, Remarks, walk
from bottega.investigate.scan.worker import Task

__all__ = [
    "CATEGORIES",
    "Category",
    "Duplicates",
    "EntryPoint",
    "Folder",
    "LanguageLines",
    "LargeFile",
    "LeftOut",
    "Licence",
    "Options",
    "RecentFile",
    "Scan",
    "Signals",
    "Suspect",
    "Tally",
    "scan",
]

OnProgress = Callable[[int, int], None]
_EXECUTABLE = 0o100


def scan(target: Path, options: Options | None = None, *, on_progress: OnProgress = lambda *_: None) -> Scan:
    """Look at a directory. Progress is told as files seen and directories seen."""
    if not target.is_dir():
        raise InputError(f"{target} is not a directory", hint="Name a directory.")
    options = options or Options()
    remarks = Remarks()
    gathering = Gathering(target, remarks)
    with Crew() as crew:
        for number, place in walk(target, options, remarks):
            languages = gathering.enter(number, place)
            if not place.is_pseudo:
                for name, status, language in zip(place.names, place.stats, languages, strict=True):
                    if status.st_size == 0:
                        continue
                    path = f"{target}/{place.path}{name}"
                    executable = bool(status.st_mode & _EXECUTABLE)
                    for result in crew.add(Task(path, name, language, status.st_size, executable)):
                        gathering.take(result)
            on_progress(gathering.files, number + 1)
        for result in crew.rest():
            gathering.take(result)
    return gathering.finished()
