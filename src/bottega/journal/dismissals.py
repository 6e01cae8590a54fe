"""Dismissals of findings in one JSON file, each sealed so that a repository cannot bring its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path

from bottega.errors import StorageError
from bottega.home import locked, make_private_directory, refuse_links, replace_file
from bottega.journal.documents import Dismissal
from bottega.journal.failures import storage_errors
from bottega.journal.ids import now
from bottega.journal.secrets import Masker

VERSION = 1


class FileDismissalStore:
    """`.bottega/reviews/dismissals.json`, replaced as a whole under a lock."""

    def __init__(self, folder: Path, mask: Masker, seal: Callable[[], str]) -> None:
        self._file = folder / "dismissals.json"
        self._mask = mask
        self._seal = seal

    def in_force(self, at: str = "") -> list[Dismissal]:
        dismissals = self.all()
        return select_in_force(dismissals, self._seal(), at or now()) if dismissals else []

    def all(self) -> list[Dismissal]:
        with storage_errors(self._file):
            refuse_links([self._file.parent, self._file])
            try:
                stored = json.loads(self._file.read_text(encoding="utf-8"))
                return [
                    Dismissal(**{key: str(value) for key, value in entry.items()}) for entry in stored["dismissals"]
                ]
            except FileNotFoundError:
                return []
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                hint = "Move it away; the list of dismissals starts empty."
                raise StorageError(f"{self._file} is damaged", hint=hint) from None

    def add(self, dismissal: Dismissal) -> Dismissal:
        with self._changing() as dismissals:
            sealed = seal_dismissal(mask_dismissal(self._mask, dismissal), self._seal())
            dismissals.append(sealed)
        return sealed

    def remove(self, mark: str) -> bool:
        with self._changing() as dismissals:
            count = len(dismissals)
            dismissals[:] = [dismissal for dismissal in dismissals if dismissal.mark != mark]
            return len(dismissals) < count

    @contextmanager
    def _changing(self) -> Iterator[list[Dismissal]]:
        with storage_errors(self._file):
            make_private_directory(self._file.parent)
            with locked(self._file.with_name(".dismissals.lock")):
                dismissals = self.all()
                yield dismissals
                content = {"version": VERSION, "dismissals": [asdict(dismissal) for dismissal in dismissals]}
                replace_file(self._file, self._mask.json(content) + "\n")


def select_in_force(dismissals: list[Dismissal], key: str, at: str) -> list[Dismissal]:
    """Those that were sealed with this key and have not expired at a moment."""
    return [
        dismissal
        for dismissal in dismissals
        if dismissal.seal and dismissal.until > at and dismissal == seal_dismissal(dismissal, key)
    ]


def mask_dismissal(mask: Masker, dismissal: Dismissal) -> Dismissal:
    return Dismissal(**{name: mask(value) for name, value in asdict(dismissal).items()})


def seal_dismissal(dismissal: Dismissal, key: str) -> Dismissal:
    """The dismissal with a seal over all its other fields; with an empty seal where there is no key."""
    if not key:
        return replace(dismissal, seal="")
    content = json.dumps({**asdict(dismissal), "seal": ""}, sort_keys=True)
    seal = blake2b(content.encode(), key=key.encode(), digest_size=16, person=b"bottega dismiss").hexdigest()
    return replace(dismissal, seal=seal)
