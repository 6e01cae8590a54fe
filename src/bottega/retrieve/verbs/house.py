"""What these verbs need of the workshop."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from bottega.index import Knowledge, KnowledgeReader
from bottega.settings import Settings


class KnowledgeHouse(Protocol):
    """The part of `bottega.pipeline.House` that is used here, below the pipelines."""

    @property
    def settings(self) -> Settings: ...
    @property
    def knowledge(self) -> Knowledge: ...

    def remark(self, text: str) -> None: ...
    def progress(self, stage: str, done: int, total: int) -> None: ...


def open_reader(house: KnowledgeHouse, *, refresh: bool) -> AbstractContextManager[KnowledgeReader]:
    """Open a reader of the index, refreshed unless `refresh` is off and an index exists."""
    is_needed = refresh or not house.knowledge.exists
    return house.knowledge.reading(refresh=is_needed, progress=house.progress, remark=house.remark)
