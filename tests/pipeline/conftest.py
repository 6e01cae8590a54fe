from __future__ import annotations

from collections.abc import Iterator

import pytest

from .street import Street, open_street


@pytest.fixture(scope="session")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("undisturbed")) as opened:
        yield opened
