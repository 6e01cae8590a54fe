"""Conversations: one JSON file each, with every turn and a summary of the older ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bottega.errors import InputError, StorageError
from bottega.home import locked, make_private_directory, refuse_links, remove_abandoned_files, replace_file
from bottega.journal.documents import Chat, Summary, Turn, check_chat_name, is_chat_name
from bottega.journal.failures import storage_errors
from bottega.journal.secrets import Masker
from bottega.source.span import Span

VERSION = 2  # 1 has the sources of a turn as text
_LARGEST = 64_000_000


class FileChatStore:
    """`.bottega/chats/NAME.json`, replaced as a whole under a lock."""

    def __init__(self, folder: Path, mask: Masker) -> None:
        self._folder = folder
        self._mask = mask

    def names(self) -> list[str]:
        with storage_errors(self._folder):
            refuse_links([self._folder])
            return sorted(path.stem for path in self._folder.glob("*.json") if is_chat_name(path.stem))

    def get(self, name: str) -> Chat:
        path = self._path(name)
        with storage_errors(self._folder):
            refuse_links([self._folder, path])
            try:
                if path.stat().st_size > _LARGEST:
                    raise StorageError(f"{path} is larger than a conversation can be", hint=_MOVE_AWAY)
                content = path.read_text("utf-8")
            except FileNotFoundError:
                return Chat(name)
            except UnicodeDecodeError:
                raise StorageError(f"{path} is not text", hint=_MOVE_AWAY) from None
        return _read(name, path, content)

    def add(self, name: str, turn: Turn) -> None:
        with self._changing(name) as chat:
            if not any(known.run == turn.run for known in chat.turns):
                self._write(Chat(name, (*chat.turns, turn), chat.summary))

    def summarize(self, name: str, text: str, turns: int) -> None:
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
        check_chat_name(name)
        return self._folder / f"{name}.json"


_MOVE_AWAY = "Move the file away, or `bottega chats delete` it; a new conversation begins."


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
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError):
        raise StorageError(f"{path} is damaged: it holds no conversation", hint=_MOVE_AWAY) from None
    if not 0 <= summary.turns <= len(turns):
        summary = Summary()
    return Chat(name, turns, summary)


def _turn(entry: dict[str, Any]) -> Turn:
    """A turn of this or an older version; the oldest have only a question and an answer."""
    question, answer = str(entry["question"]), str(entry["answer"])
    return Turn(
        at=str(entry.get("at", "")),
        run=str(entry.get("run", "")),
        question=question,
        question_en=str(entry.get("question_en", question)),
        answer=answer,
        answer_en=str(entry.get("answer_en", answer)),
        grounding=str(entry.get("grounding", "")),
        sources=tuple(_source(source) for source in entry.get("sources", ())),
    )


def _source(entry: dict[str, Any] | str) -> Span:
    if isinstance(entry, str):
        return Span.parse(entry)
    return Span(str(entry["path"]), int(entry["first"]), int(entry["last"]))
