"""Reviews as folders that a person can read: `.bottega/reviews/YYYY-MM-DD/NNN/`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bottega.errors import InputError, StorageError
from bottega.home import make_private_directory, refuse_links, remove_abandoned_files, replace_file
from bottega.journal.failures import storage_errors
from bottega.journal.ids import now
from bottega.journal.secrets import Masker

RESULT = "result.json"
_ID = re.compile(r"\d{4}-\d\d-\d\d/\d{3,6}")
_LARGEST = 256_000_000
_LONGEST_NUMBER = 6
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.S)
_MASKED_KEY = "«masked:private key»"


class FileReviewStore:
    """One folder per review; `mkdir` reserves a number, and `result.json` is written last."""

    def __init__(self, folder: Path, mask: Masker) -> None:
        self._folder = folder
        self._mask = mask

    def check(self) -> None:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            make_private_directory(self._folder)

    def begin(self) -> str:
        day = self._folder / now()[:10]
        with storage_errors(self._folder):
            refuse_links([self._folder, day])
            make_private_directory(self._folder)
            remove_abandoned_files(self._folder)
            make_private_directory(day)
            number = max((int(place.name) for place in day.iterdir() if place.name.isdigit()), default=0)
            while True:
                number += 1
                try:
                    (day / f"{number:03}").mkdir(mode=0o700)
                except FileExistsError:
                    continue
                return f"{day.name}/{number:03}"

    def write(self, review: str, files: Mapping[str, str]) -> None:
        place = self._place(review)
        with storage_errors(place):
            for name in sorted(files, key=lambda name: (name == RESULT, name)):
                target = place / name
                refuse_links([place, target])
                target.parent.mkdir(parents=True, exist_ok=True)
                replace_file(target, mask_review_file(self._mask, name, files[name]))

    def masked(self, value: Any) -> str:
        return self._mask.json(value)

    def ids(self) -> list[str]:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            names = [f"{place.parent.name}/{place.name}" for place in self._folder.glob("*/*") if _is_complete(place)]
        return sorted((name for name in names if _ID.fullmatch(name)), key=lambda name: (name[:10], int(name[11:])))

    def find(self, name: str) -> str:
        return find_review(self.ids(), name)

    def read(self, review: str, name: str = RESULT) -> str:
        place = self._place(review) / name
        with storage_errors(place):
            refuse_links([self._folder, place.parent, place])
            try:
                if place.stat().st_size > _LARGEST:
                    raise StorageError(f"{place} is larger than a review can be")
                return place.read_text(encoding="utf-8")
            except FileNotFoundError:
                raise InputError(f"review {review} has no {name}", hint=LIST_HINT) from None

    def _place(self, review: str) -> Path:
        check_review_id(review)
        return self._folder / review


LIST_HINT = "`bottega review list` names them."


def check_review_id(review: str) -> None:
    """Raise `InputError` for what is no id of a review."""
    if not _ID.fullmatch(review):
        raise InputError(f"{review[:80]!r} cannot name a review")


def find_review(ids: Sequence[str], name: str) -> str:
    """The newest of `ids`, oldest first, that a name means: an id, a number, or `last`; `InputError` for none."""
    if name == "last" and ids:
        return ids[-1]
    number = f"{int(name):03}" if name.isdecimal() and len(name) <= _LONGEST_NUMBER else name
    matching = [review for review in ids if review == name or review.endswith(f"/{number}")]
    if not matching:
        hint = LIST_HINT if ids else "Nothing was reviewed here yet."
        raise InputError(f"there is no review {name[:80]!r}", hint=hint)
    return matching[-1]


def mask_review_file(mask: Masker, name: str, text: str) -> str:
    """Mask a text of a review; a diff keeps its lines and their signs, so that it can be parsed again.

    The result is JSON, which `ReviewStore.masked` has masked value by value: masking its text could break it.
    """
    if name == RESULT:
        return text
    if not name.endswith(".diff"):
        return mask(text)
    return "\n".join(mask(line) for line in _PRIVATE_KEY.sub(_mask_lines, text).split("\n"))


def _mask_lines(key: re.Match[str]) -> str:
    first, *rest = key[0].split("\n")
    return "\n".join([_MASKED_KEY, *(f"{line[:1]}{_MASKED_KEY}" for line in rest)]) if rest else first


def _is_complete(place: Path) -> bool:
    return not place.is_symlink() and (place / RESULT).is_file()
