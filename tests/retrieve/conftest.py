from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.index.graph import Graph
from bottega.index.knowledge import KnowledgeBase
from bottega.index.snapshot import Snapshot
from bottega.index.store import IndexStore
from tests.retrieve.harbour import build
from tests.retrieve.reading import snapshot_of


@pytest.fixture(scope="session")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> IndexStore:
    """The harbour, indexed once; tests that change files take `fresh`."""
    found = open_store(build(tmp_path_factory.mktemp("harbour") / "repo"))
    found.refresh(workers=1)
    return found


@pytest.fixture
def fresh(tmp_path: Path) -> IndexStore:
    """A harbour of one's own."""
    found = open_store(build(tmp_path / "repo"))
    found.refresh(workers=1)
    return found


@pytest.fixture
def snapshot(keeper: IndexStore) -> Iterator[Snapshot]:
    with snapshot_of(keeper) as found:
        yield found


@pytest.fixture
def base(snapshot: Snapshot) -> KnowledgeBase:
    return KnowledgeBase(snapshot.connection)


@pytest.fixture
def graph(snapshot: Snapshot) -> Graph:
    return Graph(snapshot.connection)
