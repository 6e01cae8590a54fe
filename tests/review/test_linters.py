"""Which ruff is run: this Python's own, never one that a repository brings; and what is said where there is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from bottega.review.linters import list_own_directories
from bottega.source.programs import find_program
from tests.review.till import build


def program(place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    place.chmod(0o755)
    return place


def test_the_own_environment_comes_first(tmp_path: Path) -> None:
    own, other = program(tmp_path / "env/bin/ruff"), program(tmp_path / "usr/bin/ruff")
    root = tmp_path / "repository"
    assert find_program("ruff", own=[own.parent], search_path=str(other.parent), outside=root) == str(own)
    assert find_program("ruff", own=[tmp_path / "empty"], search_path=str(other.parent), outside=root) == str(other)


def test_a_program_of_the_repository_or_of_a_relative_folder_is_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    planted, fine = program(root / "bin/ruff"), program(tmp_path / "usr/bin/ruff")
    link = tmp_path / "elsewhere" / "ruff"
    link.parent.mkdir()
    link.symlink_to(planted)
    relative = os.path.relpath(planted.parent)
    search = os.pathsep.join(["", ".", relative, str(planted.parent), str(link.parent)])
    assert find_program("ruff", search_path=search, outside=root) is None
    assert find_program("ruff", search_path=f"{search}{os.pathsep}{fine.parent}", outside=root) == str(fine)


def test_the_folders_of_this_python_are_absolute() -> None:
    assert Path(sysconfig.get_path("scripts")) in list_own_directories()
    assert all(folder.is_absolute() for folder in list_own_directories())


def test_without_ruff_the_report_says_that_python_was_not_linted(tmp_path: Path) -> None:
    """In an environment of its own that has everything but ruff, with a ruff planted in the repository."""
    root = build(tmp_path / "shop")
    program(root / "ruff")
    program(root / "bin" / "ruff")
    python = bare_environment(tmp_path / "env")
    done = review_with(python, root, f"{root}/bin:.:/usr/bin:/bin", tmp_path)
    [ruff] = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "ruff"]
    assert ruff["status"] == "not run"
    assert "Python was not linted" in ruff["detail"]
    assert "bottega docs install" in ruff["detail"]


def bare_environment(place: Path) -> Path:
    """A Python that sees the packages of this one, and none of their programs."""
    venv.create(place, with_pip=False, symlinks=True)
    [packages] = place.glob("lib/python*/site-packages")
    own = [entry for entry in sys.path if entry and Path(entry).is_dir() and not Path(entry).samefile(Path.cwd())]
    (packages / "shared.pth").write_text("\n".join(own) + "\n", encoding="utf-8")
    return place / "bin" / "python"


def review_with(python: Path, root: Path, search_path: str, home: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": search_path, "HOME": str(home), "PYTHONSAFEPATH": "1"}
    command = [str(python), "-m", "bottega", "review", "--no-model", "--allow-unsafe-sandbox", "--format", "json"]
    return subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=False)
