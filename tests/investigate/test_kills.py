"""kill -9 at every moment of an investigation: what is resumed ends in the same report."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.investigate.mortal import Sitting, child, told
from tests.investigate.museum import build
from tests.pipeline.mortal import ended

FILES = {"a/one.txt": "one\n", "b.txt": "two\n"}


@pytest.fixture
def scratch() -> Iterator[Path]:
    """In memory where the system offers that: there are many folders."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.mark.timeout(600)
def test_an_investigation_killed_at_any_moment_ends_in_the_same_report(scratch: Path) -> None:
    calm = build(scratch / "calm" / "museum", FILES)
    assert ended(child(Sitting(calm, is_new=True))) == 0
    moments = (scratch / "calm" / "museum.moments").read_text().splitlines()
    assert {"complete", "record_effect", "put", "rewrite", "end_step"} <= set(moments)
    wrong = {}
    for number in range(1, len(moments) + 1):
        root = build(scratch / str(number) / "museum", FILES)
        assert ended(child(Sitting(root, is_new=True, die_at=number))) == -signal.SIGKILL
        if not (root / ".bottega" / "raw.sqlite").exists() or moments[number - 1] == "begin":
            assert ended(child(Sitting(root, is_new=number < 2))) == 0
        else:
            assert ended(child(Sitting(root, is_new=False))) == 0
        if told(root) != told(calm):
            wrong[f"{number}: {moments[number - 1]}"] = told(root)
    assert wrong == {}


def test_one_that_dies_again_and_again_ends_in_the_same_report(scratch: Path) -> None:
    calm, root = build(scratch / "calm" / "museum", FILES), build(scratch / "mortal" / "museum", FILES)
    assert ended(child(Sitting(calm, is_new=True))) == 0
    assert ended(child(Sitting(root, is_new=True, die_at=4))) == -signal.SIGKILL
    sittings = 1
    while not (scratch / "mortal" / "museum.report").exists():
        sittings += 1
        ended(child(Sitting(root, is_new=False, die_at=3 + sittings)))
    assert sittings > 3
    assert told(root) == told(calm)
