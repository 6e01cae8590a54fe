"""How a tree introduces itself, and who is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bottega.investigate.files import TargetFiles
from bottega.investigate.introduction import MAX_CHARS, introduce
from bottega.investigate.scan import Options
from tests.investigate.museum import FILES, Visitor, build, visit

PROSE = "Paintings by people who are dead, and by some who are not."


@pytest.mark.parametrize(
    ("readme", "said"),
    [
        (f"# Museum\n\n{PROSE}\n", f"Museum. {PROSE}"),
        (f"Museum\n======\n\n{PROSE}\n", f"Museum. {PROSE}"),
        (f"[![badge](https://a/b.svg)](https://a)\n<p align='center'><img src='x.png'></p>\n\n{PROSE}\n", PROSE),
        (f"<!-- a word to\n\nwriters of this -->\n{PROSE}", PROSE),
        (f"# Museum\n\n```sh\npip install museum and everything in it\n```\n\n{PROSE}\n", f"Museum. {PROSE}"),
        (f"{PROSE}\n\n## Opening hours\n\nDaily.\n", PROSE),
        ("Paintings by [people](https://who) who are **dead**,\nand by some who are [not][2].\n", PROSE),
        (f".. image:: x.png\n:target: y\n\n{PROSE}\n\n----\n", PROSE),
        ("", ""),
        ("![](x.png)\n\n- [one](1)\n- [two](2)\n", ""),
        ("# " + "[" * 5000 + "\n" + "<" * 5000 + "\n" + "=" * 5000, ""),
    ],
)
def test_prose_is_told_from_everything_else(tmp_path: Path, readme: str, said: str) -> None:
    build(tmp_path, {"README.md": readme})
    assert introduce(TargetFiles(tmp_path, Options()), ["README.md"]) == said


def test_an_empty_readme_does_not_hide_another(tmp_path: Path) -> None:
    build(tmp_path, {"README.md": "", "README.rst": PROSE})
    assert introduce(TargetFiles(tmp_path, Options()), ["README.md", "README.rst"]) == PROSE


def test_a_long_one_is_cut_at_a_word(tmp_path: Path) -> None:
    build(tmp_path, {"readme.txt": "many words of it " * 100})
    told = introduce(TargetFiles(tmp_path, Options()), ["readme.txt"])
    assert len(told) <= MAX_CHARS + 2
    assert told.endswith((" of …", " it …", " many …", " words …"))


def test_links_and_secrets_do_not_get_into_it(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(PROSE)
    inside = tmp_path / "museum"
    inside.mkdir()
    (inside / "README.md").symlink_to(tmp_path / "outside.md")
    assert introduce(TargetFiles(inside, Options()), ["README.md"]) == ""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    build(tmp_path, {"README.md": f"Use the token {token} to get in here.\n"})
    told = introduce(
        TargetFiles(tmp_path, Options(), lambda text: text.replace(token, "«masked:token»")), ["README.md"]
    )
    assert told == "Use the token «masked:token» to get in here."


def test_the_survey_and_the_report_read_it_and_small_models_do_not_in_every_directory(tmp_path: Path) -> None:
    build(tmp_path)
    build(tmp_path, {"README.md": f"# Museum\n\n{PROSE}\n"})
    visitor = Visitor()
    visit(tmp_path, visitor, "budget.context_window=8192")
    by_stage = {one.stage: one.text() for one in visitor.requests}
    assert PROSE in by_stage["investigate.survey"]
    assert PROSE in by_stage["investigate.synthesis"]
    assert "a museum" not in visitor.prompts("hall/")[0]
    assert "a museum" in visitor.prompts(".")[0]
    large = Visitor()
    visit(tmp_path, large, "budget.context_window=100000", fresh=True)
    assert "a museum" in large.prompts("hall/")[0]


def test_a_new_introduction_is_a_new_survey_and_any_other_word_is_not(tmp_path: Path) -> None:
    build(tmp_path)
    build(tmp_path, {"README.md": f"# Museum\n\n{PROSE}\n\n{'All about paint. ' * 100}\n"})
    visit(tmp_path, Visitor())
    (tmp_path / "README.md").write_text((tmp_path / "README.md").read_text() + "Closed on Mondays.\n")
    again = Visitor()
    visit(tmp_path, again)
    assert again.asked() == ["."]
    (tmp_path / "README.md").write_text("# Zoo\n\nAnimals of many lands live here.\n")
    anew = Visitor()
    visit(tmp_path, anew)
    assert anew.asked() == ["survey", ".", "synthesis"]


def test_source_comes_before_what_every_project_has_alike(tmp_path: Path) -> None:
    code = "".join(f"def tour_{number}():\n    return {number}\n\n\n" for number in range(3))
    files = {
        "CHANGELOG.md": "# Changes\n\n- A new door.\n" * 40,
        "LICENSE": FILES["LICENSE"] * 60,
        "CONTRIBUTING.md": "# Help\n\nBring paint.\n" * 40,
        "README.md": FILES["README.md"],
        "guide.py": code,
        "main.py": "from guide import tour_1\n\n\ntour_1()\n",
        "plan.py": code * 3,
    }
    visitor = Visitor()
    visit(build(tmp_path / "gallery", files), visitor)
    prompt, *_ = visitor.prompts(visitor.asked()[2])
    shown = [name for name in re.findall(r"([\w.]+), (?:outline|lines)", prompt) if name in files]
    assert shown[:4] == ["README.md", "main.py", "plan.py", "guide.py"]
    assert set(shown[4:]) <= {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
