from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bottega.testing.shop import Script
from tests.write.shop import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Callable[..., Shop]]:
    opened: list[Shop] = []

    def make(script: Script, *settings: str) -> Shop:
        opened.append(Shop(tmp_path, script, *settings))
        return opened[-1]

    yield make
    for entry in opened:
        entry.workshop.close()
