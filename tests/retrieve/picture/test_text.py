"""A neighbourhood as text and as Mermaid: what a hostile name must not break."""

from __future__ import annotations

import re

import pytest

from bottega.index.graph import Graph
from bottega.retrieve.picture import as_mermaid, as_text
from tests.retrieve.neighbourhoods import HOSTILE, UNWRITABLE, surround


@pytest.mark.parametrize("name", [*HOSTILE, *UNWRITABLE], ids=lambda name: ascii(name)[:24])
def test_mermaid_labels_hold_nothing_that_mermaid_reads(name: str) -> None:
    picture = surround(name)
    nodes = as_mermaid(picture).split("\n")[1:3]
    for line in nodes:
        label = re.fullmatch(r'  n\d\["([^"\[\]<>&;]*)"\]', line)
        assert label is not None, line


def test_mermaid_edges_hold_nothing_that_mermaid_reads() -> None:
    edges = as_mermaid(surround('calls| n9["x"]; click n0 call alert()')).split("\n")[3:]
    assert all(re.fullmatch(r"  n\d -->\|[\w .-]*\| n\d", line) for line in edges if line)


def test_mermaid_draws_every_edge(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Berth"), depth=2)
    lines = as_mermaid(found).splitlines()
    assert lines[0] == "graph LR"
    assert sum("-->" in line for line in lines) == len(found.edges)
    assert sum('["' in line for line in lines) == len(found.nodes)


def test_text_lists_every_node_with_the_edges_that_leave_it(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Tanker"), kinds=["inherits"])
    assert as_text(found) == (
        "harbour/ships.py:23-27  Tanker (type)\n"
        "  inherits → harbour/ships.py:10-20  Ship (type)  (same file, 0.95)\n"
        "harbour/ships.py:10-20  Ship (type)\n"
    )


def test_text_says_when_there_is_more(graph: Graph) -> None:
    cut = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=2)
    assert as_text(cut).endswith("… there is more: raise --nodes or narrow --edges\n")
