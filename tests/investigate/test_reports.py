"""The tree map and the numbers beside it."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.investigate.entries import Citation, DirEntry, parse_entry
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.treemap import Box, lay_out, render_treemap
from bottega.investigate.state import InvestigateState
from bottega.source import Span

CELLS = [
    {"path": ".", "bytes": 100, "kinds": [["Markdown", 100]]},
    {"path": "src", "bytes": 700, "kinds": [["Python", 500], ["C", 200]]},
    {"path": "src/<b>", "bytes": 200, "kinds": [["C", 200]]},
]


@given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=30))
def test_areas_are_sizes_and_fill_the_box(sizes: list[float]) -> None:
    sizes.sort(reverse=True)
    box = Box(0, 0, 1000, 400)
    placed = lay_out(sizes, box)
    for size, one in zip(sizes, placed, strict=True):
        assert math.isclose(one.width * one.height, size / sum(sizes) * 400_000, rel_tol=1e-6)
        assert one.x >= -1e-6
        assert one.y >= -1e-6
        assert one.x + one.width <= 1000 + 1e-3
        assert one.y + one.height <= 400 + 1e-3


def test_a_map_is_well_formed_and_names_what_it_shows() -> None:
    drawn = render_treemap(CELLS)
    page = ET.fromstring(f"<div>{drawn}</div>")
    titles = [title.text for title in page.iter("title")]
    assert "src: Python, 500 B" in titles
    assert "src/<b>: C, 200 B" in titles
    legend = "".join(page.itertext())
    assert all(name in legend for name in ("Python", "C", "Markdown"))


def test_nothing_has_no_map() -> None:
    assert render_treemap([]) == ""
    assert render_treemap([{"path": ".", "bytes": 0, "kinds": []}]) == ""


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (123_456, "123 KB"), (10**13, "10.0 TB")]
)
def test_sizes_are_told_in_words(size: int, words: str) -> None:
    assert format_size(size) == words


def test_records_of_version_0_1_hold_lines_without_spans() -> None:
    flag = {"path": "a.py", "finding": "f", "severity": "info"}
    entry = {"relative_path": ".", "key": "k", "child_count": 1, "summary": "s", "dominant_category": "source"}
    entry |= {"cached_at": "now"}
    cited = {"path": "a.py", "first": 3, "last": 3, "quote": "x"}
    read = parse_entry(DirEntry, {**entry, "flags": [{**flag, "citation": cited}]})
    assert read is not None
    assert read.flags[0].citation == Citation(span=Span("a.py", 3, 3), quote="x")
    assert parse_entry(DirEntry, read.model_dump(mode="json")) == read
    assert parse_entry(DirEntry, {**entry, "flags": [{**flag, "citation": {**cited, "first": 9}}]}) is None
    state = InvestigateState.model_validate(
        {
            "target": "/t",
            "scan": {"orders": [{"path": "a.md", "line": 2, "kind": "orders to a model", "is_test": False}]},
        }
    )
    assert state.scan["orders"][0]["span"] == {"path": "a.md", "first": 2, "last": 2}
    assert InvestigateState.model_validate(state.model_dump(mode="json")) == state
