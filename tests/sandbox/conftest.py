from __future__ import annotations

import shutil

import pytest

from bottega.sandbox import Bubblewrap, Rlimits, Sandbox


@pytest.fixture(scope="session")
def working_bubblewrap() -> Bubblewrap | str:
    """Bubblewrap, or why this machine has none."""
    program = shutil.which("bwrap")
    if program is None:
        return "bwrap is not installed"
    bubblewrap = Bubblewrap(program)
    return bubblewrap.trouble() or bubblewrap


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
