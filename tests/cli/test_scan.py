"""`bottega scan`: what the sections of its text hold, and what they leave out."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.cli.bottega import ask
from tests.index.trees import write


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path, {f"cli{number:02}.py": "if __name__ == '__main__':\n    run()\n" for number in range(14)})


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_list_that_is_cut_counts_the_rest(form: str, tree: Path) -> None:
    printed = ask("scan", "--format", form, cwd=tree).out
    shown, _, rest = printed.partition("Entry points")[2].partition("… and ")
    assert rest.startswith(f"{14 - shown.count('cli')} more")


def test_files_of_a_fresh_checkout_are_not_recently_changed(tree: Path) -> None:
    assert "Recently changed" not in ask("scan", cwd=tree).out
    os.utime(tree / "cli03.py", (time.time() + 3600,) * 2)
    recent = ask("scan", cwd=tree).out.partition("Recently changed\n")[2].partition("\n\n")[0]
    assert recent.split()[-1] == "cli03.py"
    assert len(recent.splitlines()) == 1
