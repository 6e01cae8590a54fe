from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.sandbox import Bubblewrap, Layer, Rlimits, Sandbox, open_layer

from .projects import unchanged, write_project


@pytest.fixture(scope="session")
def working_bubblewrap() -> Bubblewrap | str:
    """Bubblewrap, or why this machine has none."""
    program = shutil.which("bwrap")
    if program is None:
        return "bwrap is not installed"
    bubblewrap = Bubblewrap(program)
    return bubblewrap.find_trouble() or bubblewrap


@pytest.fixture
def bubblewrap(working_bubblewrap: Bubblewrap | str) -> Bubblewrap:
    if isinstance(working_bubblewrap, str):
        pytest.skip(working_bubblewrap)
    return working_bubblewrap


@pytest.fixture(params=["bubblewrap", "unsafe-rlimits"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each kind there is, one after the other."""
    if request.param == Rlimits.name:
        return Rlimits()
    found: Bubblewrap = request.getfixturevalue("bubblewrap")
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture
def layer(project: Path, tmp_path: Path) -> Iterator[Layer]:
    """A layer whose project must be what it was when the test is over."""
    with unchanged(project):
        yield open_layer(project, into=tmp_path / "layer")
