"""What a person reads again: conversations, reviews, dismissals, investigations and the history of `write`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from bottega.journal.documents import Chat, Dismissal, Turn

Shelf = Literal["files", "dirs"]


class ChatStore(Protocol):
    """Conversations by name. A name that `check_chat_name` refuses raises `InputError` in every method."""

    def names(self) -> list[str]:
        """The names of all conversations, sorted."""

    def get(self, name: str) -> Chat:
        """A conversation; one without turns when none of this name is stored."""

    def add(self, name: str, turn: Turn) -> None:
        """Add a turn, unless the conversation has one of the same run, as after the resume of a killed run."""

    def summarize(self, name: str, text: str, turns: int) -> None:
        """Store a summary of the first `turns` turns, unless the stored one covers as many."""

    def delete(self, name: str) -> None:
        """Delete a conversation; raise `InputError` when there is none."""


class ReviewStore(Protocol):
    """Reviews named `YYYY-MM-DD/NNN`, each a set of named texts; one that has its `result.json` is complete."""

    def check(self) -> None:
        """Raise `StorageError` when no review could be written."""

    def begin(self) -> str:
        """Reserve the next number of the day and return the id."""

    def write(self, review: str, files: Mapping[str, str]) -> None:
        """Store texts by name, the result last; raise `InputError` for what is no id."""

    def masked(self, value: Any) -> str:
        """A value as JSON text with secrets masked; `result.json` is stored as it is given."""

    def ids(self) -> list[str]:
        """The ids of complete reviews, oldest first."""

    def find(self, name: str) -> str:
        """The newest complete review with this id or number, or `last`; raise `InputError` when there is none."""

    def read(self, review: str, name: str = "result.json") -> str:
        """A text of a review; raise `InputError` when there is none."""


class DismissalStore(Protocol):
    """What a person declared to be no bug. A dismissal that was not added through this store does not count."""

    def in_force(self, at: str = "") -> list[Dismissal]:
        """The dismissals that were added through this store and have not expired at a moment, by default now."""

    def all(self) -> list[Dismissal]:
        """Every stored dismissal, whoever wrote it and whether it has expired or not."""

    def add(self, dismissal: Dismissal) -> Dismissal:
        """Store a dismissal and return it as stored, sealed."""

    def remove(self, mark: str) -> bool:
        """Delete the dismissals of a finding; whether there were any."""


class InvestigationStore(Protocol):
    """What is known of a target, by investigation: named JSON values, entries by path, lists of lines.

    A value that was not written through this store is treated as missing. Names of investigations that `open` never
    returns raise `InputError`.
    """

    def open(self, target: str, *, fresh: bool = False) -> str:
        """The investigation of a target, a new one when there is none or `fresh` asks for it."""

    def all(self) -> dict[str, str]:
        """Investigations by target."""

    def forget(self, target: str = "") -> int:
        """Delete the investigation of a target, or every one; return how many. Noted reports stay."""

    def reports(self, target: str) -> dict[str, str]:
        """Noted reports of a target: their paths with the hash of what was written."""

    def note_report(self, target: str, path: str, digest: str) -> None:
        """Remember that a report was written to a path below a target."""

    def read(self, name: str, file: str) -> Any:
        """A named JSON value, or `None`."""

    def write(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        """Store a named JSON value; raise `StorageError` when the investigation was deleted meanwhile."""

    def entry(self, name: str, shelf: Shelf, path: str) -> Any:
        """The entry about a file or directory, or `None`."""

    def put(self, name: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        """Store the entry about a file or directory; raise as `write` does."""

    def entries(self, name: str, shelf: Shelf) -> Iterator[Any]:
        """Every entry, sorted by its `relative_path`."""

    def drop(self, name: str, shelf: Shelf, kept: Sequence[str]) -> None:
        """Delete the entries about paths other than `kept`."""

    def append(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        """Add a value to a named list; raise as `write` does."""

    def rewrite(self, name: str, file: str, values: Sequence[Mapping[str, Any]]) -> None:
        """Replace a named list as a whole; raise as `write` does."""

    def lines(self, name: str, file: str) -> list[Any]:
        """The values of a named list; they are for people, and not protected against changes from outside."""


class HistoryStore(Protocol):
    """The history of `write`: records with the fields `HISTORY_FIELDS`; the oldest may be deleted by count."""

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record, unless it is among the last ones; raise `ValueError` for other fields."""

    def newest(self) -> Iterator[dict[str, Any]]:
        """Records from the newest to the oldest."""
