from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.bottega import ask
from tests.retrieve.harbour import build


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Indexed once; tests that change files take `own_harbour`."""
    return _indexed(tmp_path_factory.mktemp("harbour") / "repo")


@pytest.fixture
def own_harbour(tmp_path: Path) -> Path:
    return _indexed(tmp_path / "repo")


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A repository that the test fills."""
    root = tmp_path / "repo"
    root.mkdir()
    return root


def _indexed(root: Path) -> Path:
    build(root)
    ended = ask("index", cwd=root)
    assert ended.code == 0, ended.err
    return root
