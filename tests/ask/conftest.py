from __future__ import annotations

from pathlib import Path

import pytest

from tests.ask.quay import build


@pytest.fixture
def quay(tmp_path: Path) -> Path:
    (tmp_path / "quay-town").mkdir()
    return build(tmp_path / "quay-town")
