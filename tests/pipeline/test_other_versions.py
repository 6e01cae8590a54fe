"""A run outlives the version that began it; a version that has lost a part of it says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bottega import __version__
from bottega.errors import InputError
from bottega.pipeline import Kind, State

from .errand import ACTIONS, Basket, ErrandSettings
from .office import office


class Suitcase(State):
    """What a later version made of the basket."""

    shirts: int = 0


WITHOUT_COUNT = {name: entry for name, entry in ACTIONS.items() if name != "count"}


@pytest.mark.parametrize(
    ("kinds", "reason"),
    [
        ({}, "is of the kind errand, which this version lacks"),
        ({"errand": Kind("errand", Basket, WITHOUT_COUNT, ErrandSettings)}, "needs the action count, which this"),
        ({"errand": Kind("errand", Suitcase, ACTIONS, ErrandSettings)}, "began in a state that this version cannot"),
    ],
    ids=["kind", "action", "state"],
)
def test_a_version_without_a_part_of_the_run_refuses_it(tmp_path: Path, kinds: Mapping[str, Kind], reason: str) -> None:
    with office(tmp_path) as errands:
        errands.start("walk")
    with office(tmp_path, kinds=kinds) as errands:
        for attempt in (errands.engine.resume, errands.engine.replay):
            with pytest.raises(InputError, match=reason) as refusal:
                attempt("last")
            assert refusal.value.hint == f"It was begun with bottega {__version__}."
