"""What the author of a journal supplies, and the fixtures that all promises share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest

from bottega.journal import Dismissal, Journal, Shelf
from bottega.testing.journal_contract.processes import Opener, kill_after

_NO_VARIABLES: Mapping[str, str] = {}


class JournalFactory(ABC):
    """Opens journals over one set of records, which is empty at first."""

    @abstractmethod
    def open(
        self,
        *,
        environ: Mapping[str, str] = _NO_VARIABLES,
        history_entries: int = 1000,
        history_files: int = 0,
    ) -> Journal:
        """Open the records; each journal sees what the others have stored."""

    def opener(self) -> Opener | None:
        """A function that opens the records in another process, which pickle can carry; `None` where none can."""
        return None

    def crash_after(self, act: Callable[[Journal], object]) -> None:
        """Open the records in a process, call `act` with the journal and kill the process; pickle can carry `act`.

        Journals that were opened before need not work afterwards.
        """
        opener = self.opener()
        if opener is None:
            raise NotImplementedError("a factory without an opener says itself what a crash leaves")
        kill_after(opener, act)

    def forge_dismissal(self, dismissal: Dismissal) -> None:  # noqa: ARG002 - a factory that can forge overrides it
        """Store a dismissal as somebody does who can write to the storage but has no key of this machine."""
        pytest.skip("nobody but the store can write a dismissal")

    def forge_entry(  # a factory that can forge overrides it
        self,
        investigation: str,  # noqa: ARG002
        shelf: Shelf,  # noqa: ARG002
        path: str,  # noqa: ARG002
        value: Mapping[str, Any],  # noqa: ARG002
    ) -> None:
        """Replace a stored entry as somebody does who can write to the storage but has no key of this machine."""
        pytest.skip("nobody but the store can write an entry")


class Contract:
    """The fixtures of a contract: `factory`, which a subclass overrides, and `journal`, opened by it."""

    @pytest.fixture
    def factory(self) -> JournalFactory:
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def journal(self, factory: JournalFactory) -> Iterator[Journal]:
        with closing(factory.open()) as opened:
            yield opened

    @pytest.fixture
    def second(self, factory: JournalFactory) -> Iterator[Journal]:
        """The same records, opened once more."""
        with closing(factory.open()) as opened:
            yield opened

    @pytest.fixture
    def opener(self, factory: JournalFactory) -> Opener:
        opener = factory.opener()
        if opener is None:
            pytest.skip("these records are of one process")
        return opener
