"""Reports that this program wrote into the target: the scan leaves them out."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from bottega.errors import InputError
from bottega.journal import InvestigationStore
from bottega.source.confined import read_below

_MAX_BYTES = 64_000_000


def find_own_reports(target: Path, output: Path | None, store: InvestigationStore) -> tuple[str, ...]:
    """The file that `output` is about to create, and earlier reports that nobody has changed since.

    A file with other content is scanned like any other, even if it is about to be overwritten.
    """
    own = {path for path, digest in store.reports(str(target)).items() if _hash_file(target, path) == digest}
    path = find_below(target, output)
    if path and _is_missing_or_empty(target / path):
        own.add(path)
    return tuple(sorted(own))


def note_report(target: Path, output: Path, store: InvestigationStore) -> None:
    """Remember the path and checksum of a report that was written below the target."""
    path = find_below(target, output)
    digest = _hash_file(target, path) if path else ""
    if digest:
        store.note_report(str(target), path, digest)


def _is_missing_or_empty(file: Path) -> bool:
    try:
        return file.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:
        return False


def find_below(target: Path, output: Path | None) -> str:
    """The path of a file relative to the target; "" for one that lies elsewhere."""
    if output is None:
        return ""
    try:
        return output.resolve().relative_to(target).as_posix()
    except (OSError, RuntimeError, ValueError):
        return ""


def _hash_file(target: Path, path: str) -> str:
    try:
        data, status = read_below(target, path, _MAX_BYTES)
    except InputError:
        return ""
    return sha256(data).hexdigest() if status.st_size == len(data) else ""
