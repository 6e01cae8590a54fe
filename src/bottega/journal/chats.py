"""Conversations: one JSON file each, with every turn and the summary of the older ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bottega.errors import InputError, StorageError
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
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LARGEST = 64_000_000


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, as asked and in the language of the prompts; `sources` are spans as text."""

    at: str
    run: str
    question: str
    question_en: str
    answer: str
    answer_en: str
    grounding: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What the first `turns` turns said; `version` counts how often it was made anew."""

    text: str = ""
    turns: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Chat:
    name: str
    turns: tuple[Turn, ...] = ()
    summary: Summary = field(default_factory=Summary)


class Chats:
    """`.bottega/chats/NAME.json`, replaced as a whole under a lock; secrets are masked as in every record."""

    def __init__(self, folder: Path, mask: Masker) -> None:
        self._folder = folder
        self._mask = mask

    def names(self) -> list[str]:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            return sorted(path.stem for path in self._folder.glob("*.json") if _NAME.fullmatch(path.stem))

    def get(self, name: str) -> Chat:
        """An empty one when nothing was said yet."""
        path = self._path(name)
        with storage_errors(self._folder):
            refuse_links([self._folder, path])
            try:
                if path.stat().st_size > _LARGEST:
                    raise StorageError(f"{path} is larger than a conversation can be", hint=_PUT_ASIDE)
                content = path.read_text("utf-8")
            except FileNotFoundError:
                return Chat(name)
            except UnicodeDecodeError:
                raise StorageError(f"{path} is not text", hint=_PUT_ASIDE) from None
        return _read(name, path, content)

    def add(self, name: str, turn: Turn) -> None:
        """Add a turn unless its run has one already, as it has when a killed run is resumed."""
        with self._changing(name) as chat:
            if not any(known.run == turn.run for known in chat.turns):
                self._write(Chat(name, (*chat.turns, turn), chat.summary))

    def summarize(self, name: str, text: str, turns: int) -> None:
        """Keep the summary of the first turns; one that covers fewer than the last is not kept."""
        with self._changing(name) as chat:
            if turns > chat.summary.turns:
                self._write(Chat(name, chat.turns, Summary(text, turns, chat.summary.version + 1)))

    def delete(self, name: str) -> None:
        path = self._path(name)
        with storage_errors(self._folder):
            refuse_links([self._folder, path])
            if not path.exists():
                raise InputError(f"there is no conversation {name}", hint="`bottega chats list` names them.")
            path.unlink()

    @contextmanager
    def _changing(self, name: str) -> Iterator[Chat]:
        with storage_errors(self._folder):
            make_private_directory(self._folder)
            with locked(self._folder / ".lock"):
                yield self.get(name)

    def _write(self, chat: Chat) -> None:
        content = {"version": VERSION, "turns": [asdict(turn) for turn in chat.turns], "summary": asdict(chat.summary)}
        remove_abandoned_files(self._folder)
        replace_file(self._path(chat.name), self._mask.json(content) + "\n")

    def _path(self, name: str) -> Path:
        check_name(name)
        return self._folder / f"{name}.json"


def check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name[:80]!r} cannot name a conversation", hint="Letters, digits, '.', '_' and '-', at most 64."
        )


_PUT_ASIDE = "Move the file away, or `bottega chats delete` it; a new conversation begins."


def _read(name: str, path: Path, content: str) -> Chat:
    try:
        stored = json.loads(content)
        version = stored.get("version", 0) if isinstance(stored, dict) else 0
        if version > VERSION:
            raise StorageError(f"{path} was written by a newer bottega", hint="Update bottega, or use another name.")
        entries = stored["turns"] if isinstance(stored, dict) else stored
        turns = tuple(_turn(entry) for entry in entries)
        kept = stored.get("summary") if isinstance(stored, dict) else None
        summary = Summary(str(kept["text"]), int(kept["turns"]), int(kept["version"])) if kept else Summary()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StorageError(f"{path} is damaged: it holds no conversation", hint=_PUT_ASIDE) from None
    if not 0 <= summary.turns <= len(turns):
        summary = Summary()
    return Chat(name, turns, summary)


def _turn(entry: dict[str, Any]) -> Turn:
    """A turn of this or an older version, which had but a question and an answer."""
    question, answer = str(entry["question"]), str(entry["answer"])
    return Turn(
        at=str(entry.get("at", "")),
        run=str(entry.get("run", "")),
        question=question,
        question_en=str(entry.get("question_en", question)),
        answer=answer,
        answer_en=str(entry.get("answer_en", answer)),
        grounding=str(entry.get("grounding", "")),
        sources=tuple(str(source) for source in entry.get("sources", ())),
    )
