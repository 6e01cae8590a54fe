"""Investigations as folders that a person can read: one JSON file for each thing that is known."""

from __future__ import annotations

import json
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from bottega.errors import InputError, StorageError
from bottega.home import locked, make_private_directory, refuse_links, remove_abandoned_files, replace_file
from bottega.journal.failures import storage_errors
from bottega.journal.ids import new_id
from bottega.journal.protocols import Shelf
from bottega.journal.secrets import Masker

_TARGETS, _REPORTS = "investigations.json", "reports.json"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST = 64_000_000


class FileInvestigationStore:
    """`.bottega/investigations/`: `investigations.json` says which folder belongs to which target.

    Every JSON file carries a seal made with a key of this machine; one without it, which may have come with the
    repository, is treated as missing.
    """

    def __init__(self, folder: Path, mask: Masker, seal: Callable[[], str]) -> None:
        self._folder = folder
        self._mask = mask
        self._seal = seal

    def open(self, target: str, *, fresh: bool = False) -> str:
        with self._changing():
            targets = self._targets()
            name = targets.get(target, "")
            if fresh or not _ID.fullmatch(name) or not (self._folder / name).is_dir():
                name = new_id()
                self._make_folders(name)
                self._write(self._folder / _TARGETS, {**targets, target: name})
            else:
                self._make_folders(name)
            remove_abandoned_files(self._folder)
            return name

    def all(self) -> dict[str, str]:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            return {target: name for target, name in self._targets().items() if _ID.fullmatch(name)}

    def forget(self, target: str = "") -> int:
        if not self._folder.exists():
            return 0
        with self._changing():
            targets = self._targets()
            forgotten = [known for known in targets if target in ("", known)]
            names = {targets[known] for known in forgotten}
            places = [place for place in self._folder.glob("*") if _ID.fullmatch(place.name) and not place.is_symlink()]
            deleted = [place for place in places if not target or place.name in names]
            for place in deleted:
                shutil.rmtree(place)
            if forgotten:
                kept = {known: name for known, name in targets.items() if known not in forgotten}
                self._write(self._folder / _TARGETS, kept)
        return len(deleted)

    def reports(self, target: str) -> dict[str, str]:
        reports = self._read(self._folder / _REPORTS) or {}
        known = reports.get(target)
        return {str(path): str(digest) for path, digest in known.items()} if isinstance(known, dict) else {}

    def note_report(self, target: str, path: str, digest: str) -> None:
        with self._changing():
            reports = self._read(self._folder / _REPORTS) or {}
            self._write(self._folder / _REPORTS, {**reports, target: {**self.reports(target), path: digest}})

    def read(self, name: str, file: str) -> Any:
        return self._read(self._place(name) / file)

    def write(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        self._write(self._place(name) / file, value)

    def entry(self, name: str, shelf: Shelf, path: str) -> Any:
        return self._read(self._place(name) / shelf / _file_name(path))

    def put(self, name: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        self._write(self._place(name) / shelf / _file_name(path), value)

    def entries(self, name: str, shelf: Shelf) -> Iterator[Any]:
        place = self._place(name) / shelf
        with storage_errors(place):
            refuse_links([place])
            entries = [entry for file in place.glob("*.json") if (entry := self._read(file)) is not None]
        yield from sorted(entries, key=lambda entry: str(entry.get("relative_path", "")))

    def drop(self, name: str, shelf: Shelf, kept: Sequence[str]) -> None:
        place = self._place(name) / shelf
        names = {_file_name(path) for path in kept}
        with storage_errors(place):
            refuse_links([place])
            for file in place.glob("*.json"):
                if file.name not in names:
                    file.unlink(missing_ok=True)

    def lines(self, name: str, file: str) -> list[Any]:
        place = self._place(name) / file
        with storage_errors(place):
            refuse_links([place.parent, place])
            try:
                text = place.read_text(encoding="utf-8")
            except FileNotFoundError:
                return []
        return [value for line in text.split("\n") if (value := _parse(line)) is not None]

    def append(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        place = self._place(name) / file
        with _writing_to(place), place.open("a", encoding="utf-8", errors="replace") as lines:
            lines.write(self._mask.json(value) + "\n")

    def rewrite(self, name: str, file: str, values: Sequence[Mapping[str, Any]]) -> None:
        place = self._place(name) / file
        with _writing_to(place):
            replace_file(place, "".join(self._mask.json(value) + "\n" for value in values))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with storage_errors(self._folder):
            refuse_links([self._folder, self._folder / _TARGETS])
            make_private_directory(self._folder)
            with locked(self._folder / ".lock"):
                yield

    def _make_folders(self, name: str) -> None:
        place = self._folder / name
        folders = (place, place / "files", place / "dirs")
        refuse_links(folders)
        for folder in folders:
            make_private_directory(folder)

    def _targets(self) -> dict[str, str]:
        targets = self._read(self._folder / _TARGETS) or {}
        return {str(target): str(name) for target, name in targets.items()}

    def _place(self, name: str) -> Path:
        if not _ID.fullmatch(name):
            raise InputError(f"{name[:80]!r} cannot name an investigation")
        return self._folder / name

    def _read(self, file: Path) -> dict[str, Any] | None:
        """The value of a file; `None` when it is missing, damaged, no regular file, or not sealed by this machine."""
        with storage_errors(file):
            refuse_links([file.parent, file])
            try:
                status = file.stat()
                if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
                    return None
                value = json.loads(file.read_text(encoding="utf-8"))
            except (FileNotFoundError, ValueError, RecursionError):
                return None
        if not isinstance(value, dict):
            return None
        seal = value.pop("seal", "")
        return value if seal and seal == sign_value(file.name, value, self._seal()) else None

    def _write(self, file: Path, value: Mapping[str, Any]) -> None:
        with _writing_to(file):
            masked = json.loads(self._mask.json(dict(value)))
            sealed = {**masked, "seal": sign_value(file.name, masked, self._seal())}
            replace_file(file, json.dumps(sealed, ensure_ascii=False) + "\n")


@contextmanager
def _writing_to(file: Path) -> Iterator[None]:
    with storage_errors(file):
        refuse_links([file.parent, file])
        try:
            yield
        except FileNotFoundError:
            raise StorageError(f"{file.parent} is gone", hint="Run the investigation again.") from None


def _parse(line: str) -> Any:
    """The value of a line; `None` for the incomplete last line of a killed writer."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def sign_value(name: str, value: Mapping[str, Any], key: str) -> str:
    """A keyed hash over a value and the name it is stored under; "" without a key."""
    if not key:
        return ""
    content = json.dumps([name, value], sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return blake2b(content, key=key.encode(), digest_size=16, person=b"bottega inquiry").hexdigest()


def _file_name(path: str) -> str:
    return sha256(path.encode("utf-8", "surrogateescape")).hexdigest() + ".json"
