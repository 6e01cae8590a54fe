from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.index import Keeper, open_keeper
from bottega.index.graph import Graph
from bottega.index.knowledge import KnowledgeBase
from bottega.index.snapshot import Snapshot
from tests.retrieve.harbour import build
from tests.retrieve.reading import snapshot_of

# The runtime of the embedder reports to its maker unless it is told not to before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"


@pytest.fixture(scope="session")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    """The harbour, indexed once; tests that change files take `fresh`."""
    found = open_keeper(build(tmp_path_factory.mktemp("harbour") / "repo"))
    found.refresh(workers=1)
    return found


@pytest.fixture
def fresh(tmp_path: Path) -> Keeper:
    """A harbour of one's own."""
    found = open_keeper(build(tmp_path / "repo"))
    found.refresh(workers=1)
    return found


@pytest.fixture
def snapshot(keeper: Keeper) -> Iterator[Snapshot]:
    with snapshot_of(keeper) as found:
        yield found


@pytest.fixture
def base(snapshot: Snapshot) -> KnowledgeBase:
    return KnowledgeBase(snapshot.connection)


@pytest.fixture
def graph(snapshot: Snapshot) -> Graph:
    return Graph(snapshot.connection)
