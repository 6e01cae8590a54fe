from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .doubles import Hub, serving


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving(Hub()) as running:
        yield running


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "models"
