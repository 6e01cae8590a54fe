"""Completion that shells load, and manual pages that roff can format."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bottega.cli import COMMANDS
from tests.cli.bottega import run


def _complete(cwd: Path, line: str) -> list[str]:
    words = line.split(" ")
    env = {"_BOTTEGA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return [found.partition(",")[2] for found in run(cwd=cwd, env=env).out.splitlines()]


def test_verbs_and_options_are_completed(tmp_path: Path) -> None:
    assert _complete(tmp_path, "bottega se") == ["search"]
    assert set(_complete(tmp_path, "bottega ")) == set(COMMANDS)
    assert _complete(tmp_path, "bottega search --mo") == ["--mode"]
    assert _complete(tmp_path, "bottega search --mode sem") == ["semantic", "semantic_rerank"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_names_the_program(tmp_path: Path, shell: str) -> None:
    shown = run("completion", shell, cwd=tmp_path)
    assert shown.code == 0
    assert "_BOTTEGA_COMPLETE" in shown.out
    if shutil.which(shell) and shell != "fish":
        subprocess.run([shell, "-n"], input=shown.out, text=True, check=True)


def test_what_is_installed_can_be_uninstalled(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shown = run("completion", "install", cwd=tmp_path).out.splitlines()
    assert str(home / ".local/share/bash-completion/completions/bottega") in shown
    pages = {path.name for path in (home / ".local/share/man/man1").iterdir()}
    assert pages == {"bottega.1", *(f"bottega-{verb}.1" for verb in COMMANDS)}
    run("completion", "uninstall", cwd=tmp_path)
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_a_manual_page_has_the_options_of_its_command(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    run("completion", "install", cwd=tmp_path)
    page = (tmp_path / "home/.local/share/man/man1/bottega-search.1").read_text()
    assert ".B \\-k, \\-\\-limit" in page
    assert not [line for line in page.splitlines() if line.startswith("'")]


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed here")
def test_every_page_formats_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    run("completion", "install", cwd=tmp_path)
    for page in (tmp_path / "home/.local/share/man/man1").iterdir():
        done = subprocess.run(
            ["man", "--warnings", "-l", str(page)],
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )
        assert done.stderr == ""
