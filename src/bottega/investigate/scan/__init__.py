"""The base scan: one walk, no model, no other program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bottega.errors import InputError
from bottega.investigate.scan.batches import BatchReader
from bottega.investigate.scan.collector import ScanCollector
from bottega.investigate.scan.exclusions import Options
from bottega.investigate.scan.findings import (
    Duplicates,
    EntryPoint,
    LanguageLines,
    LargeFile,
    LeftOut,
    Licence,
    RecentFile,
    Scan,
    ScannedDirectory,
    Signals,
    SuspectLine,
    Tally,
)
from bottega.investigate.scan.kinds import CATEGORIES, Category
from bottega.investigate.scan.walking import ReadProblems, walk
from bottega.investigate.scan.worker import Task

__all__ = [
    "CATEGORIES",
    "Category",
    "Duplicates",
    "EntryPoint",
    "LanguageLines",
    "LargeFile",
    "LeftOut",
    "Licence",
    "Options",
    "RecentFile",
    "Scan",
    "ScannedDirectory",
    "Signals",
    "SuspectLine",
    "Tally",
    "scan",
]

OnProgress = Callable[[int, int], None]
_EXECUTABLE = 0o100


def scan(target: Path, options: Options | None = None, *, on_progress: OnProgress = lambda *_: None) -> Scan:
    """Scan a directory; `on_progress` gets the number of files and of directories seen so far."""
    if not target.is_dir():
        raise InputError(f"{target} is not a directory", hint="Name a directory.")
    options = options or Options()
    problems = ReadProblems()
    collector = ScanCollector(target, problems)
    with BatchReader() as reader:
        for number, listing in walk(target, options, problems):
            languages = collector.add_directory(number, listing)
            if not listing.is_pseudo:
                for name, status, language in zip(listing.names, listing.stats, languages, strict=True):
                    if status.st_size == 0:
                        continue
                    path = f"{target}/{listing.path}{name}"
                    executable = bool(status.st_mode & _EXECUTABLE)
                    for result in reader.add(Task(path, name, language, status.st_size, executable)):
                        collector.add_results(result)
            on_progress(collector.files, number + 1)
        for result in reader.drain():
            collector.add_results(result)
    return collector.build()
