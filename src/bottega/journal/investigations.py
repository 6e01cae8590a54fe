"""Investigations as folders that a person can read: what is known of each file and directory, by its path."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Literal

from bottega.errors import InputError, StorageError
from bottega.journal.ids import new_id
from bottega.journal.locks import locked
from bottega.journal.secrets import Masker
from bottega.journal.store import (
    make_private_directory,
    refuse_links,
    remove_abandoned_files,
    replace_file,
    storage_errors,
)

Shelf = Literal["files", "dirs"]
REPORT = "report.json"
_REPORTS = "reports.json"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST = 64_000_000


class Investigations:
    """`.bottega/investigations/`: one folder for each target, found by `investigations.json`; secrets are masked.

    What is read again bears a mark that only this person can make: a record that came with a tree does not count.
    """

    def __init__(self, folder: Path, mask: Masker, seal: Callable[[], str]) -> None:
        self._folder = folder
        self._mask = mask
        self._seal = seal

    def open(self, target: str, *, fresh: bool = False) -> str:
        """The investigation of a target; a new one when there is none, or when a fresh one is wanted."""
        with storage_errors(self._folder):
            refuse_links([self._folder, self._folder / "investigations.json"])
            make_private_directory(self._folder)
            with locked(self._folder / ".lock"):
                known = self._known()
                name = known.get(target, "")
                if fresh or not _ID.fullmatch(name) or not (self._folder / name).is_dir():
                    name = new_id()
                    self._make(name)
                    known[target] = name
                    self._write(self._folder / "investigations.json", known)
                else:
                    self._make(name)
                remove_abandoned_files(self._folder)
                return name

    def all(self) -> dict[str, str]:
        """Investigations by their targets."""
        with storage_errors(self._folder):
            refuse_links([self._folder])
            return {target: name for target, name in self._known().items() if _ID.fullmatch(name)}

    def forget(self, target: str = "") -> int:
        """Remove every investigation, or those of one target; how many there were. Which files are reports is kept."""
        import shutil

        with storage_errors(self._folder):
            refuse_links([self._folder])
            known = self._known()
            wanted = {known[target]} if target in known else set() if target else None
            found = [place for place in self._folder.glob("*") if _ID.fullmatch(place.name) and not place.is_symlink()]
            names = [place for place in found if wanted is None or place.name in wanted]
            for place in names:
                shutil.rmtree(place)
            if wanted is None:
                (self._folder / "investigations.json").unlink(missing_ok=True)
        return len(names)

    def reports(self, target: str) -> dict[str, str]:
        """Reports that were written to files below a target: their paths, and the hash of what was written."""
        told = self._read(self._folder / _REPORTS)
        known = told.get(target) if isinstance(told, dict) else None
        return {str(path): str(digest) for path, digest in known.items()} if isinstance(known, dict) else {}

    def note_report(self, target: str, path: str, digest: str) -> None:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            make_private_directory(self._folder)
            with locked(self._folder / ".lock"):
                told = self._read(self._folder / _REPORTS)
                known = told if isinstance(told, dict) else {}
                self._write(self._folder / _REPORTS, {**known, target: {**self.reports(target), path: digest}})

    def read(self, name: str, file: str) -> Any:
        """A JSON file of an investigation; `None` where it is missing or damaged, which costs work and nothing else."""
        return self._read(self._place(name) / file)

    def write(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        self._write(self._place(name) / file, value)

    def entry(self, name: str, shelf: Shelf, path: str) -> Any:
        return self._read(self._place(name) / shelf / _file_name(path))

    def put(self, name: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        self._write(self._place(name) / shelf / _file_name(path), value)

    def entries(self, name: str, shelf: Shelf) -> Iterator[Any]:
        """Every entry, in the order of their paths."""
        place = self._place(name) / shelf
        with storage_errors(place):
            refuse_links([place])
            found = [self._read(file) for file in sorted(place.glob("*.json"))]
        yield from sorted(
            (one for one in found if isinstance(one, dict)), key=lambda one: str(one.get("relative_path", ""))
        )

    def drop(self, name: str, shelf: Shelf, kept: Sequence[str]) -> None:
        """Forget entries about what is no longer there."""
        place = self._place(name) / shelf
        names = {_file_name(path) for path in kept}
        with storage_errors(place):
            refuse_links([place])
            for file in place.glob("*.json"):
                if file.name not in names:
                    file.unlink(missing_ok=True)

    def append(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        """One line more in a JSONL file."""
        place = self._place(name) / file
        with storage_errors(place):
            refuse_links([place])
            with place.open("a", encoding="utf-8", errors="replace") as lines:
                lines.write(self._mask.json(value) + "\n")

    def rewrite(self, name: str, file: str, values: Sequence[Mapping[str, Any]]) -> None:
        """A JSONL file as a whole."""
        place = self._place(name) / file
        with storage_errors(place):
            refuse_links([place])
            replace_file(place, "".join(self._mask.json(value) + "\n" for value in values))

    def _make(self, name: str) -> None:
        place = self._folder / name
        refuse_links([place, place / "files", place / "dirs"])
        for folder in (place, place / "files", place / "dirs"):
            make_private_directory(folder)

    def _known(self) -> dict[str, str]:
        known = self._read(self._folder / "investigations.json")
        return {str(key): str(value) for key, value in known.items()} if isinstance(known, dict) else {}

    def _place(self, name: str) -> Path:
        if not _ID.fullmatch(name):
            raise InputError(f"{name[:80]!r} cannot name an investigation")
        return self._folder / name

    def _read(self, file: Path) -> Any:
        """What was written there; `None` for what is missing, damaged, no file, or not written by this person."""
        with storage_errors(file):
            refuse_links([file.parent, file])
            try:
                status = file.stat()
                if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
                    return None
                value = json.loads(file.read_text(encoding="utf-8"))
            except FileNotFoundError:
                return None
            except (ValueError, RecursionError):
                return None
        seal = value.pop("seal", "") if isinstance(value, dict) else ""
        return value if seal and seal == self._sealed(file, value) else None

    def _sealed(self, file: Path, value: Any) -> str:
        key = self._seal()
        if not key:
            return ""
        said = json.dumps([file.name, value], sort_keys=True, ensure_ascii=False)
        return blake2b(
            said.encode("utf-8", "surrogatepass"), key=key.encode(), digest_size=16, person=b"bottega inquiry"
        ).hexdigest()

    def _write(self, file: Path, value: Mapping[str, Any]) -> None:
        with storage_errors(file):
            refuse_links([file.parent, file])
            masked = json.loads(self._mask.json(dict(value)))
            try:
                replace_file(
                    file, json.dumps({**masked, "seal": self._sealed(file, masked)}, ensure_ascii=False) + "\n"
                )
            except FileNotFoundError:
                raise StorageError(f"{file.parent} is gone", hint="Run the investigation again.") from None


def _file_name(path: str) -> str:
    return sha256(path.encode("utf-8", "surrogateescape")).hexdigest() + ".json"
