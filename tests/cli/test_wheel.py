"""The wheel has all that the command needs: it is unpacked, and the commands of the quick start run from there."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from bottega import __version__
from tests.cli.bottega import Ended, good_script, run
from tests.docs import bakery

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, as an installer lays it out."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def bottega(place: Path, package: Path, *arguments: str) -> Ended:
    return run(*arguments, cwd=place, env={"PYTHONPATH": str(package), "HOME": str(place.parent / "home")})


def test_the_pages_and_the_changelog_are_in_it(unpacked: Path, tmp_path: Path) -> None:
    shown = bottega(tmp_path, unpacked, "docs", "install")
    assert shown.out == (unpacked / "bottega" / "docs" / "install.md").read_text()
    assert bottega(tmp_path, unpacked, "docs", "changelog").out == (ROOT / "CHANGELOG.md").read_text()
    assert (unpacked / "bottega" / "docs" / "schemas" / "search.result.json").is_file()


def test_it_searches_asks_reviews_and_writes(unpacked: Path, tmp_path: Path) -> None:
    place = bakery.build(tmp_path)
    assert "OvenTooHot" in bottega(place, unpacked, "search", "oven too hot").out
    assert "bakery/oven.py" in bottega(place, unpacked, "ask", "--no-model", "what is an oven?").out
    (place / "bakery" / "oven.py").write_text("HEAT = eval(input())\n")
    assert "python-eval" in bottega(place, unpacked, "review", "--no-model").out
    written = bottega(place, unpacked, "write", "double a number", "--model", good_script(tmp_path))
    assert written.out.startswith("def double"), written.err


def test_it_says_where_to_read_about_a_missing_extra(unpacked: Path, tmp_path: Path) -> None:
    shown = bottega(tmp_path, unpacked, "doctor").out
    assert "pip install" not in shown
    assert bottega(tmp_path, unpacked, "docs", "install").code == 0


def test_the_page_names_every_extra_and_the_wheel_as_it_is_called() -> None:
    page = (ROOT / "docs" / "install.md").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    listed = re.findall(r"^\| `(\w+)` \|", page.partition("## Extras")[2].partition("\n## ")[0], re.MULTILINE)
    assert set(listed) == set(extras) - {"check", "site"}
    assert set(re.findall(r"bottega-([\d.]+)-py3", page)) == {__version__}


def test_nothing_tells_people_to_install_from_an_index_that_does_not_have_it() -> None:
    told = [
        str(path.relative_to(ROOT))
        for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
        if re.search(r"pip install (?:-U )?'?bottega\b", path.read_text(encoding="utf-8"))
    ]
    assert told == []
