"""Reports that were written into the directory they are about: they are no part of it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from bottega.errors import InputError
from bottega.investigate.confined import content
from bottega.journal import Investigations

_LARGEST = 64_000_000


def own_reports(target: Path, output: Path | None, store: Investigations) -> tuple[str, ...]:
    """Where a report is about to be written, and those of earlier that nobody has changed since.

    A file that holds something else is looked at like any other, even if it is about to be written over.
    """
    own = {path for path, digest in store.reports(str(target)).items() if _digest(target, path) == digest}
    path = below(target, output)
    if path and _is_blank(target / path):
        own.add(path)
    return tuple(sorted(own))


def note_report(target: Path, output: Path, store: Investigations) -> None:
    """Keep in mind what was written."""
    path = below(target, output)
    digest = _digest(target, path) if path else ""
    if digest:
        store.note_report(str(target), path, digest)


def _is_blank(file: Path) -> bool:
    try:
        return file.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:
        return False


def below(target: Path, output: Path | None) -> str:
    """The path of a file from the target on; "" for one that lies elsewhere."""
    if output is None:
        return ""
    try:
        return output.resolve().relative_to(target).as_posix()
    except (OSError, RuntimeError, ValueError):
        return ""


def _digest(target: Path, path: str) -> str:
    try:
        data, status = content(target, path, _LARGEST)
    except InputError:
        return ""
    return sha256(data).hexdigest() if status.st_size == len(data) else ""
