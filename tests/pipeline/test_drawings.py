"""Drawings of the shipped pipelines, as a reviewer reads them in drawings/.

After a change that is meant: REDRAW=1 pytest tests/pipeline/test_drawings.py writes them anew.
"""

from __future__ import annotations

import os
import re
from importlib import resources
from pathlib import Path

import pytest

from bottega.pipeline import Folder, Library, as_mermaid, as_text
from bottega.write import KIND

from .office import HERE, LIBRARY

SHIPPED = Library([Folder(Path(str(resources.files("bottega.write") / "pipelines")), "bottega.write")], {"write": KIND})
PIPELINES = {
    **{name: SHIPPED.get(name) for name in SHIPPED.names()},
    **{name: LIBRARY.get(name) for name in ("rounds", "shopping")},
}


def drawn(file: str, drawing: str) -> str:
    """The drawing that is kept."""
    path = HERE / "drawings" / file
    if os.environ.get("REDRAW"):
        path.write_text(drawing, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_is_drawn_for_the_terminal(name: str) -> None:
    drawing = as_text(PIPELINES[name])
    assert drawing == drawn(f"{name}.txt", drawing)


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_is_drawn_as_mermaid(name: str) -> None:
    drawing = as_mermaid(PIPELINES[name])
    assert drawing == drawn(f"{name}.mmd", drawing)


def test_every_drawing_that_is_kept_belongs_to_a_pipeline() -> None:
    assert {path.stem for path in (HERE / "drawings").iterdir()} == {*PIPELINES, "odd"}


@pytest.mark.parametrize("name", PIPELINES)
def test_every_step_and_every_way_is_in_both_drawings(name: str) -> None:
    pipeline = PIPELINES[name]
    text, mermaid = as_text(pipeline), as_mermaid(pipeline)
    for step in pipeline.steps.values():
        assert f"{step.id} [{step.action}]" in text
        assert f'"{step.id}<br/><i>{step.action}</i>"' in mermaid
    ways = sum(len(step.branches) + bool(step.next) for step in pipeline.steps.values())
    assert len(text.splitlines()) == ways + 2
    assert mermaid.count("-->") == ways + 1


def test_odd_names_stay_apart_and_cannot_break_the_drawing() -> None:
    odd = LIBRARY.get("odd")
    mermaid = as_mermaid(odd)
    assert mermaid == drawn("odd.mmd", mermaid)
    nodes = re.findall(r'^    (\w+)\(?\["[\w ./,-]+<br/><i>\w+</i>"\]\)?$', mermaid, flags=re.M)
    assert len(set(nodes)) == len(odd.steps)
