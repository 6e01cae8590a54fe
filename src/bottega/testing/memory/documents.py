"""Conversations, reviews and dismissals in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from bottega.errors import InputError
from bottega.journal import Chat, Dismissal, Masker, Summary, Turn, check_chat_name, now
from bottega.journal.dismissals import mask_dismissal, seal_dismissal, select_in_force
from bottega.journal.reviews import LIST_HINT, RESULT, check_review_id, find_review, mask_review_file
from bottega.source import Span
from bottega.testing.memory.records import MemoryRecords


class MemoryChatStore:
    """Implements `ChatStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def names(self) -> list[str]:
        with self._records.lock:
            return sorted(self._records.chats)

    def get(self, name: str) -> Chat:
        check_chat_name(name)
        return self._records.chats.get(name, Chat(name))

    def add(self, name: str, turn: Turn) -> None:
        with self._records.lock:
            chat = self.get(name)
            if not any(known.run == turn.run for known in chat.turns):
                self._records.chats[name] = replace(chat, turns=(*chat.turns, _mask_turn(self._mask, turn)))

    def summarize(self, name: str, text: str, turns: int) -> None:
        with self._records.lock:
            chat = self.get(name)
            if turns > chat.summary.turns:
                summary = Summary(self._mask(text), turns, chat.summary.version + 1)
                self._records.chats[name] = replace(chat, summary=summary)

    def delete(self, name: str) -> None:
        check_chat_name(name)
        with self._records.lock:
            if self._records.chats.pop(name, None) is None:
                raise InputError(f"there is no conversation {name}", hint="`bottega chats list` names them.")


def _mask_turn(mask: Masker, turn: Turn) -> Turn:
    masked = json.loads(mask.json(asdict(turn)))
    return Turn(**{**masked, "sources": tuple(Span(**source) for source in masked["sources"])})


class MemoryReviewStore:
    """Implements `ReviewStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def check(self) -> None:
        """Do nothing: memory can always be written."""

    def begin(self) -> str:
        day = now()[:10]
        with self._records.lock:
            numbers = [int(review[11:]) for review in self._records.reviews if review.startswith(day)]
            review = f"{day}/{max(numbers, default=0) + 1:03}"
            self._records.reviews[review] = {}
        return review

    def write(self, review: str, files: Mapping[str, str]) -> None:
        check_review_id(review)
        masked = {name: mask_review_file(self._mask, name, text) for name, text in files.items()}
        with self._records.lock:
            self._records.reviews.setdefault(review, {}).update(masked)

    def masked(self, value: Any) -> str:
        return self._mask.json(value)

    def ids(self) -> list[str]:
        with self._records.lock:
            complete = [review for review, files in self._records.reviews.items() if RESULT in files]
        return sorted(complete, key=lambda review: (review[:10], int(review[11:])))

    def find(self, name: str) -> str:
        return find_review(self.ids(), name)

    def read(self, review: str, name: str = RESULT) -> str:
        check_review_id(review)
        text = self._records.reviews.get(review, {}).get(name)
        if text is None:
            raise InputError(f"review {review} has no {name}", hint=LIST_HINT)
        return text


class MemoryDismissalStore:
    """Implements `DismissalStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def in_force(self, at: str = "") -> list[Dismissal]:
        return select_in_force(self.all(), self._records.seal_key, at or now())

    def all(self) -> list[Dismissal]:
        with self._records.lock:
            return list(self._records.dismissals)

    def add(self, dismissal: Dismissal) -> Dismissal:
        sealed = seal_dismissal(mask_dismissal(self._mask, dismissal), self._records.seal_key)
        with self._records.lock:
            self._records.dismissals.append(sealed)
        return sealed

    def remove(self, mark: str) -> bool:
        with self._records.lock:
            count = len(self._records.dismissals)
            self._records.dismissals[:] = [known for known in self._records.dismissals if known.mark != mark]
            return len(self._records.dismissals) < count
