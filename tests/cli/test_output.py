"""How commands print: paths from where the person stands, files chosen by suffix, colours and links on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.bottega import ask, refused

_ESCAPES = re.compile(r"\x1b\]8;;[^\x1b]*\x1b\\|\x1b\[[\d;]*m")


def test_paths_are_printed_and_taken_relative_to_the_current_directory(harbour: Path) -> None:
    env = {"HOME": str(harbour.parent / "home")}
    inside = harbour / "harbour"
    listed = ask("search", "high", "water", "--path", "tides.py", "-k", "1", cwd=inside, env=env)
    assert listed.out.startswith("tides.py:4-6  "), listed.err
    shown = ask("show", "tides.py:4", cwd=inside, env=env)
    assert "def high_water(day):" in shown.out, shown.err
    assert "tides.py:4" in shown.out
    assert "harbour/tides.py" not in shown.out


def test_json_keeps_paths_from_the_root(harbour: Path) -> None:
    env = {"HOME": str(harbour.parent / "home")}
    ended = ask("search", "high", "water", "-k", "1", "--json", cwd=harbour / "harbour", env=env)
    assert json.loads(ended.out)["hits"][0]["span"]["path"] == "harbour/tides.py"


def test_the_suffix_of_the_output_file_chooses_the_format(harbour: Path, tmp_path: Path) -> None:
    file = tmp_path / "hits.json"
    ended = ask("search", "high", "water", "-o", str(file), cwd=harbour)
    assert (ended.code, ended.out) == (0, ""), ended.err
    assert f"bottega: written to {file}\n" in ended.err
    assert json.loads(file.read_text())["hits"]


def test_a_dash_as_the_output_file_is_standard_output(own_harbour: Path) -> None:
    ended = ask("search", "high", "water", "-k", "1", "-o", "-", cwd=own_harbour)
    assert ended.out.startswith("harbour/tides.py:4-6"), ended.err
    assert not (own_harbour / "-").exists()


def test_an_output_file_that_cannot_be_written_is_refused_before_any_work(harbour: Path) -> None:
    refused(ask("search", "high", "-o", "nowhere/hits.json", cwd=harbour), "nowhere/hits.json cannot be written")


def test_two_formats_exclude_each_other(harbour: Path) -> None:
    refused(ask("search", "high", "--json", "--format", "text", cwd=harbour), "--json and --format text exclude")


def test_colours_link_to_the_file_and_hide_nothing(harbour: Path) -> None:
    plain = ask("search", "high", "water", "-k", "1", cwd=harbour).out
    styled = ask("search", "high", "water", "-k", "1", "--color", "always", cwd=harbour).out
    assert "file://" in styled
    assert f"{harbour}/harbour/tides.py#L4" in styled
    assert "\x1b[34mdef\x1b[39;49;00m" in styled or "\x1b[94mdef" in styled, styled
    assert _ESCAPES.sub("", styled) == plain


@pytest.mark.parametrize(
    ("env", "is_styled"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)]
)
def test_a_terminal_gets_colours_unless_it_is_told_otherwise(
    harbour: Path, env: dict[str, str], is_styled: bool
) -> None:
    shown = _run_on_terminal("search", "high", "water", "-k", "1", cwd=harbour, env=env)
    assert ("\x1b[" in shown) == is_styled, shown


def test_long_output_goes_through_the_pager(harbour: Path, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGED\ncat\n")
    pager.chmod(0o755)
    assert "PAGED" in _run_on_terminal(
        "search", "water", "--full", cwd=harbour, env={"PAGER": str(pager), "LINES": "9"}
    )
    assert "PAGED" not in _run_on_terminal("show", "harbour/tides.py:4", cwd=harbour, env={"PAGER": str(pager)})


def _run_on_terminal(*arguments: str, cwd: Path, env: dict[str, str]) -> str:
    leader, follower = pty.openpty()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd.parent / "home"),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "BOTTEGA_INDEX_VECTORS": "manual",
        "LINES": "24",
        "COLUMNS": "100",
        **env,
    }
    words = [sys.executable, "-m", "bottega", *arguments]
    with subprocess.Popen(words, cwd=cwd, env=environ, stdin=follower, stdout=follower, stderr=subprocess.DEVNULL):
        os.close(follower)
        seen = b""
        try:
            while block := os.read(leader, 65536):
                seen += block
        except OSError:
            pass
    os.close(leader)
    return seen.decode()
