"""Facts about models, read without making a journal where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bottega.journal import FactStore


class LazyFactStore:
    """The facts of a journal that is opened when something is stored, or when it exists already."""

    def __init__(self, has_journal: Callable[[], bool], open_facts: Callable[[], FactStore]) -> None:
        self._has_journal = has_journal
        self._open_facts = open_facts

    def get(self, model: str, name: str) -> Any:
        return self._open_facts().get(model, name) if self._has_journal() else None

    def models(self, name: str) -> list[str]:
        return self._open_facts().models(name) if self._has_journal() else []

    def put(self, model: str, name: str, value: Any) -> None:
        self._open_facts().put(model, name, value)

    def forget(self, model: str) -> None:
        if self._has_journal():
            self._open_facts().forget(model)
