"""A directory without git is indexed after a question, and a parent's records take in no project silently."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.cli.bottega import run
from tests.index.trees import git, write


def _answer(root: Path, answer: str, *arguments: str) -> tuple[int, str]:
    """Run the command on a terminal and answer its question."""
    controller, terminal = pty.openpty()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(root / "home"),
        "BOTTEGA_INDEX_VECTORS": "manual",
        "TERM": "dumb",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "bottega", *arguments],
        cwd=root,
        env=environ,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    os.write(controller, f"{answer}\n".encode())
    shown = b""
    while True:
        try:
            block = os.read(controller, 4096)
        except OSError:
            break
        if not block:
            break
        shown += block
    os.close(controller)
    return process.wait(30), shown.decode()


def test_the_question_names_the_size_and_no_is_respected(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def bake():\n    pass\n"})
    code, shown = _answer(tmp_path, "n", "search", "bake")
    assert code == 2
    assert "1 file," in shown
    assert not (tmp_path / ".bottega").exists()


def test_yes_indexes_and_is_asked_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def bake():\n    pass\n"})
    code, shown = _answer(tmp_path, "y", "search", "bake")
    assert (code, "is not a git repository" in shown) == (0, True)
    code, shown = _answer(tmp_path, "", "search", "bake")
    assert (code, "is not a git repository" in shown) == (0, False)


def test_a_repository_is_not_asked_about(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def bake():\n    pass\n"})
    git(tmp_path, "init", "-q")
    code, shown = _answer(tmp_path, "", "search", "bake")
    assert (code, "is not a git repository" in shown) == (0, False)


def test_without_a_terminal_a_large_directory_is_refused_unless_yes(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "A = 1\n"} | {f"data/{number}.txt": "x\n" for number in range(5_001)})
    refused = run("search", "bake", cwd=tmp_path)
    assert refused.code == 2
    assert "5,002 files" in refused.err
    assert "bottega index --yes" in refused.err
    assert not (tmp_path / ".bottega").exists()
    assert run("index", "--yes", cwd=tmp_path).code == 0
    assert run("search", "bake", cwd=tmp_path).code in {0, 1}


def test_records_of_a_parent_are_used_with_a_remark(tmp_path: Path) -> None:
    write(tmp_path, {"top.py": "def bake():\n    pass\n", "inner/deep.py": "X = 1\n"})
    run("index", cwd=tmp_path)
    ended = run("search", "bake", cwd=tmp_path / "inner", env={"HOME": str(tmp_path / "home")})
    assert "../top.py" in ended.out
    assert f"working in {tmp_path}" in ended.err


def test_a_project_below_records_is_its_own(tmp_path: Path) -> None:
    write(tmp_path, {"top.py": "def bake():\n    pass\n", "inner/package.json": "{}", "inner/deep.py": "X = 1\n"})
    run("index", cwd=tmp_path)
    ended = run("search", "bake", cwd=tmp_path / "inner", env={"HOME": str(tmp_path / "home")})
    assert ended.code == 1
    assert (tmp_path / "inner" / ".bottega").is_dir()


def test_looks_write_nothing(tmp_path: Path) -> None:
    project = write(tmp_path / "project", {"a.py": "A = 1\n"})
    home = tmp_path / "elsewhere"
    home.mkdir()
    for line in ("models", "runs", "chats", "pipelines", "config", "review list", "doctor", "docs", "--help", "call"):
        run(*line.split(), cwd=project, env={"HOME": str(home)})
    assert [path for folder in (home, project) for path in folder.rglob("*") if path.name != "a.py"] == []
