"""Reviews as folders that a person can read, and what a person dismissed for good."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bottega.errors import InputError, StorageError
from bottega.journal.ids import now
from bottega.journal.locks import locked
from bottega.journal.secrets import Masker
from bottega.journal.store import (
    make_private_directory,
    refuse_links,
    remove_abandoned_files,
    replace_file,
    storage_errors,
)

VERSION = 1
RESULT = "result.json"
_ID = re.compile(r"\d{4}-\d\d-\d\d/\d{3,6}")
_LARGEST = 256_000_000
_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.S)
_HIDDEN = "«masked:private key»"


class Reviews:
    """`.bottega/reviews/YYYY-MM-DD/NNN/`; secrets are masked in every file."""

    def __init__(self, folder: Path, mask: Masker) -> None:
        self._folder = folder
        self._mask = mask

    def begin(self) -> str:
        """A new folder, numbered through the day; its name is the review's."""
        day = self._folder / now()[:10]
        with storage_errors(self._folder):
            refuse_links([self._folder, day])
            make_private_directory(self._folder)
            remove_abandoned_files(self._folder)
            make_private_directory(day)
            taken = [int(place.name) for place in day.iterdir() if place.name.isdigit()]
            number = max(taken, default=0)
            while True:
                number += 1
                try:
                    (day / f"{number:03}").mkdir(mode=0o700)
                except FileExistsError:
                    continue
                return f"{day.name}/{number:03}"

    def write(self, review: str, files: Mapping[str, str]) -> None:
        """Files by their names below the folder; the result comes last, so that a folder that has one is whole."""
        place = self._place(review)
        ordered = sorted(files, key=lambda name: (name == RESULT, name))
        with storage_errors(place):
            for name in ordered:
                target = place / name
                refuse_links([place, target])
                target.parent.mkdir(parents=True, exist_ok=True)
                content = files[name] if name == RESULT else self._masked(name, files[name])
                replace_file(target, content)

    def check(self) -> None:
        """Raise before anything is asked where nothing could be written down afterwards."""
        with storage_errors(self._folder):
            refuse_links([self._folder])
            make_private_directory(self._folder)

    def masked(self, value: Any) -> str:
        return self._mask.json(value)

    def _masked(self, name: str, text: str) -> str:
        """A diff keeps its lines and their signs, so that it can be read again."""
        if not name.endswith(".diff"):
            return self._mask(text)
        hidden = _KEY.sub(_line_by_line, text)
        return "\n".join(self._mask(line) for line in hidden.split("\n"))

    def ids(self) -> list[str]:
        """Every whole review, oldest first."""
        with storage_errors(self._folder):
            refuse_links([self._folder])
            found = [f"{place.parent.name}/{place.name}" for place in self._folder.glob("*/*") if _is_whole(place)]
        return sorted((name for name in found if _ID.fullmatch(name)), key=lambda name: (name[:10], int(name[11:])))

    def find(self, name: str) -> str:
        """A review by its id, its end, or `last`."""
        ids = self.ids()
        if name == "last" and ids:
            return ids[-1]
        number = f"{int(name):03}" if name.isdecimal() and len(name) < 7 else name
        matching = [known for known in ids if known == name or known.endswith(f"/{number}")]
        if not matching:
            hint = "`bottega review list` names them." if ids else "Nothing was reviewed here yet."
            raise InputError(f"there is no review {name[:80]!r}", hint=hint)
        return matching[-1]

    def read(self, review: str, name: str = RESULT) -> str:
        place = self._place(review) / name
        with storage_errors(place):
            refuse_links([self._folder, place.parent, place])
            if place.stat().st_size > _LARGEST:
                raise StorageError(f"{place} is larger than a review can be")
            return place.read_text(encoding="utf-8")

    def _place(self, review: str) -> Path:
        if not _ID.fullmatch(review):
            raise InputError(f"{review[:80]!r} cannot name a review")
        return self._folder / review


def _line_by_line(found: re.Match[str]) -> str:
    first, *rest = found[0].split("\n")
    return "\n".join([_HIDDEN, *(f"{line[:1]}{_HIDDEN}" for line in rest)]) if rest else first


def _is_whole(place: Path) -> bool:
    return not place.is_symlink() and (place / RESULT).is_file()


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A person's word that something is no bug: `about` it says what, and it covers nothing graver than `severity`.

    `mark` is the finding's; `seal` proves that the word was given on this person's machine.
    """

    mark: str
    title: str
    scope: str
    because: str
    who: str
    at: str
    until: str
    review: str
    severity: str = "WARNING"
    about: str = ""
    seal: str = ""

    def __str__(self) -> str:
        return f"dismissed by {self.who} on {self.at[:10]}: {self.because}"


class Dismissals:
    """`.bottega/reviews/dismissals.json`. One that came with a repository bears no seal and does not count."""

    def __init__(self, folder: Path, mask: Masker, seal: Callable[[], str]) -> None:
        self._file = folder / "dismissals.json"
        self._mask = mask
        self._seal = seal

    def standing(self, at: str = "") -> list[Dismissal]:
        """Those that are this person's own and not over."""
        moment = at or now()
        return [one for one in self.all() if one.seal == self._sealed(one) and one.seal and one.until > moment]

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
                raise StorageError(f"{self._file} is damaged", hint="Move it away; dismissals begin anew.") from None

    def add(self, dismissal: Dismissal) -> Dismissal:
        plain = Dismissal(**{key: self._mask(value) for key, value in asdict(dismissal).items()})
        sealed = Dismissal(**{**asdict(plain), "seal": self._sealed(plain)})
        with self._changing() as kept:
            kept.append(sealed)
        return sealed

    def remove(self, mark: str) -> bool:
        """Take every dismissal of a finding back."""
        with self._changing() as kept:
            count = len(kept)
            kept[:] = [one for one in kept if one.mark != mark]
            return len(kept) < count

    @contextmanager
    def _changing(self) -> Iterator[list[Dismissal]]:
        with storage_errors(self._file):
            make_private_directory(self._file.parent)
            with locked(self._file.with_name(".dismissals.lock")):
                kept = self.all()
                yield kept
                content = {"version": VERSION, "dismissals": [asdict(one) for one in kept]}
                replace_file(self._file, self._mask.json(content) + "\n")

    def _sealed(self, one: Dismissal) -> str:
        key = self._seal()
        if not key:
            return ""
        said = json.dumps({**asdict(one), "seal": ""}, sort_keys=True)
        return blake2b(said.encode(), key=key.encode(), digest_size=16, person=b"bottega dismiss").hexdigest()
