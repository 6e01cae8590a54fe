from __future__ import annotations

from pathlib import Path

import pytest

from .places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    home, root = tmp_path / "home", tmp_path / "repository"
    home.mkdir()
    root.mkdir()
    return Places(home, root)
