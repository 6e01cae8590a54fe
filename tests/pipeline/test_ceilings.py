"""What a run may use is counted over all of its steps and all of its sittings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.errors import CeilingReached, InputError
from bottega.models.providers.scripted import ScriptedModel
from bottega.settings import Limits

from .office import in_a_row, office


def test_a_token_ceiling_counts_earlier_sittings(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "ask, about: [bread]", "need", "ask, about: [cheese]")
    with office(tmp_path, ScriptedModel(["[WORD:] crust"])) as errands:
        with pytest.raises(InputError):
            errands.start(pipeline)
        used = errands.journal.runs.usage(errands.journal.runs.get("last").id)
    (tmp_path / "ready").touch()
    ceiling = Limits(tokens=used.prompt_tokens + used.completion_tokens)
    second = ScriptedModel(["[WORD:] round"])
    with office(tmp_path, second, limits=ceiling) as errands:
        with pytest.raises(CeilingReached, match="tokens used"):
            errands.resume()
        assert (second.requests, errands.status()) == ([], "failed")
    with office(tmp_path, second, limits=Limits(tokens=10_000)) as errands:
        assert errands.resume().words == ("crust", "round")


def test_a_time_ceiling_counts_the_whole_run_and_not_each_step(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "dawdle", "dawdle", "ask, about: [bread]")
    model = ScriptedModel(["[WORD:] crust"])
    limits = Limits(minutes=0.15 / 60)
    with office(tmp_path, model, limits=limits) as errands, pytest.raises(CeilingReached, match="minutes"):
        errands.start(pipeline)
    assert model.requests == []
