"""The tree map and the numbers beside it."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.investigate.entries import Citation, DirEntry, parse_entry
from bottega.investigate.reports.layout import Box, lay_out
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.treemap import render_maps
from bottega.investigate.state import InvestigateState
from bottega.source import Span

CELLS: list[dict[str, Any]] = [
    {"path": ".", "bytes": 100, "kinds": [["Markdown", 100]], "code": [["Markdown", 3]]},
    {"path": "src", "bytes": 700, "kinds": [["Python", 500], ["C", 200]], "code": [["Python", 20], ["C", 1]]},
    {"path": "src/<b>", "bytes": 200, "kinds": [["C", 200]], "code": [["C", 90]]},
    {"path": "photos", "bytes": 5000, "kinds": [["media", 5000]], "code": []},
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


def read_maps(cells: list[dict[str, Any]]) -> ET.Element:
    return ET.fromstring(render_maps(cells))


def measure_areas(drawing: ET.Element) -> dict[str, float]:
    """The area of each rectangle by the place and the language that its tooltip names."""
    return {
        (rect.findtext("title") or "").partition(",")[0]: float(rect.get("width", 0)) * float(rect.get("height", 0))
        for rect in drawing.iter("rect")
        if rect.get("class") != "group"
    }


def test_a_map_by_lines_and_one_by_bytes_name_both_figures() -> None:
    page = read_maps(CELLS)
    by_code, by_bytes = (svg for svg in page.iter("svg") if svg.get("role") == "img")
    assert [field.get("checked") for field in page.iter("input")] == ["checked", None]
    titles = {rect.findtext("title") for rect in by_code.iter("rect")}
    assert {"src: Python, 20 lines of code, 500 B", "src/<b>: C, 90 lines of code, 200 B"} <= titles
    assert "src: 111 lines of code, 900 B" in titles
    code, size = measure_areas(by_code), measure_areas(by_bytes)
    assert "photos: media" not in code
    assert code["src/<b>: C"] > 3 * code["src: Python"]
    assert size["photos: media"] > 3 * size["src: Python"]
    assert size["src: Python"] > size["src/<b>: C"]


def test_the_same_figures_are_in_a_table() -> None:
    rows = [["".join(cell.itertext()) for cell in row] for row in read_maps(CELLS).iter("tr")]
    assert rows == [
        ["Directory", "Most of its own files", "Lines of code", "Bytes"],
        [".", "Markdown", "114", "6,000"],
        ["src", "Python", "111", "900"],
        ["src/<b>", "C", "90", "200"],
        ["photos", "media", "0", "5,000"],
    ]


def test_records_without_lines_and_targets_without_code_have_the_map_by_bytes() -> None:
    older = [{key: value for key, value in cell.items() if key != "code"} for cell in CELLS]
    for cells in (older, CELLS[-1:]):
        assert [field.get("id") for field in read_maps(cells).iter("input")] == ["by-bytes"]


def test_nothing_has_no_map() -> None:
    assert render_maps([]) == ""
    assert render_maps([{"path": ".", "bytes": 0, "kinds": [], "code": []}]) == ""


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
