"""The history of `write` in JSON Lines files of a limited number of records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bottega.home import locked, make_private_directory, refuse_links
from bottega.journal.documents import HISTORY_FIELDS
from bottega.journal.failures import storage_errors
from bottega.journal.secrets import Masker

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class FileHistoryStore:
    """`.bottega/history/history_NNNNNN.jsonl`, appended under a lock.

    A killed writer may leave an incomplete last line: the next record starts on a line of its own.
    """

    def __init__(self, folder: Path, *, max_entries: int, max_files: int, mask: Masker) -> None:
        self._folder = folder
        self._max_entries = max_entries
        self._max_files = max_files
        self._mask = mask

    def append(self, record: Mapping[str, Any]) -> None:
        if tuple(record) != HISTORY_FIELDS:
            raise ValueError(f"a history record has the fields {HISTORY_FIELDS}")
        line = self._mask.json(record)
        with storage_errors(self._folder):
            make_private_directory(self._folder)
            with locked(self._folder / ".lock"):
                self._write(line)

    def newest(self) -> Iterator[dict[str, Any]]:
        with storage_errors(self._folder):
            for path in reversed(self._files()):
                for line in reversed(_text(path).split("\n")):
                    record = _parse(line)
                    if record is not None:
                        yield record

    def _write(self, line: str) -> None:
        files = self._files()
        last = files[-1] if files else self._folder / "history_000001.jsonl"
        existing = last.read_bytes() if files else b""
        lines = existing.split(b"\n")
        if line.encode() in lines[-50:]:
            return
        if len([1 for entry in lines if entry]) >= self._max_entries:
            last = self._folder / f"history_{(_number(last) or 0) + 1:06d}.jsonl"
            existing = b""
        separator = b"\n" if existing and not existing.endswith(b"\n") else b""
        handle = os.open(last, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_FOLLOW, 0o600)
        try:
            _write_all(handle, separator + line.encode() + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        self._delete_old_files()

    def _delete_old_files(self) -> None:
        if self._max_files:
            for path in self._files()[: -self._max_files]:
                path.unlink()

    def _files(self) -> list[Path]:
        found = [path for path in self._folder.glob("history_*.jsonl") if _number(path) is not None]
        refuse_links([self._folder, *found])
        found = [path for path in found if path.is_file()]
        return sorted(found, key=lambda path: _number(path) or 0)


def _number(path: Path) -> int | None:
    """None for a file that bottega did not name, such as a copy by the user."""
    digits = path.stem.removeprefix("history_")
    return int(digits) if digits.isdecimal() else None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""  # another process deleted it after it was listed


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _parse(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):  # numbers that are too long, lists that are nested too deeply
        return None
    return record if isinstance(record, dict) and set(HISTORY_FIELDS) <= set(record) else None
