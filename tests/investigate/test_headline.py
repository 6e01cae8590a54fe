"""The brief of an investigation is about the whole, whatever a model says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.investigate.words import find_invented_names
from tests.investigate.museum import Visitor, build, calls, synthesis, visit

FILES = {
    "README.md": "# seek\n\nBuy our shirts and mugs today, dear friends!\n\n"
    "seek is a fuzzy finder for the terminal that filters lists.\n",
    ".github/workflows/build.yml": "on: push\n",
    ".github/stale.yml": "days: 30\n",
    "doc/manual.txt": "How to seek.\n",
    **{
        f"src/part_{number}.go": f"package seek // {number}\n" + "func Find() int { return 1 }\n" * 40
        for number in range(8)
    },
}
ABOUT_A_PART = (
    "The .github directory holds workflows and templates for continuous integration.",
    "This repository contains GitHub workflows that build and release on every push.",
    "The `doc` folder explains usage to newcomers in plain text.",
)


def seek(tmp_path: Path) -> Path:
    return build(tmp_path / "seek", FILES)


@pytest.mark.parametrize("brief", ABOUT_A_PART)
def test_a_brief_about_a_small_part_is_sent_back_once_and_then_replaced_by_the_readme(
    tmp_path: Path, brief: str
) -> None:
    visitor = Visitor(synthesis=calls(synthesis(brief=brief)))
    report = visit(seek(tmp_path), visitor)
    assert visitor.asked().count("synthesis") == 2
    assert "The brief is about the tree as a whole" in visitor.requests[-1].text()
    assert report.synthesis is not None
    assert report.synthesis.brief.startswith("Its readme says: seek is a fuzzy finder for the terminal")
    assert "alone" in report.synthesis.reason


def test_a_model_that_mends_its_brief_is_believed(tmp_path: Path) -> None:
    replies = iter([ABOUT_A_PART[0], "A fuzzy finder written in Go."])
    visitor = Visitor(synthesis=lambda: calls(synthesis(brief=next(replies))))
    report = visit(seek(tmp_path), visitor)
    assert report.synthesis is not None
    assert report.synthesis.brief == "A fuzzy finder written in Go."


@pytest.mark.parametrize(
    "brief",
    [
        "seek is a fuzzy finder; its `doc` folder explains usage.",
        "A fuzzy finder for the terminal. The .github directory holds workflows.",
        "The src directory holds a fuzzy finder in Go.",
        "A tool that filters lists in the terminal, with a `doc` folder.",
    ],
)
def test_a_brief_about_the_whole_may_name_its_parts(tmp_path: Path, brief: str) -> None:
    visitor = Visitor(synthesis=calls(synthesis(brief=brief)))
    report = visit(seek(tmp_path), visitor)
    assert report.synthesis is not None
    assert report.synthesis.brief == brief
    assert visitor.asked().count("synthesis") == 1


@pytest.mark.parametrize(
    ("summary", "invented"),
    [
        ("Serves an `fs.FS` and an `io.FS` of the caller.", ()),
        ("Opens the door in `gate.fs` and `hall/Gate.FS`.", ("Gate.FS", "gate.fs")),
        ("Plots with `plot.R`.", ("plot.R",)),
    ],
)
def test_types_of_packages_are_no_missing_files(summary: str, invented: tuple[str, ...]) -> None:
    assert find_invented_names(summary, frozenset({"door.py"})) == invented
