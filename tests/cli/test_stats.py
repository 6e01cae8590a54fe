"""`bottega stats`: what the knowledge base holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.bottega import ask, refused
from tests.index.trees import write
from tests.retrieve.harbour import write_files


def test_everything_is_counted(harbour: Path) -> None:
    ended = ask("stats", cwd=harbour)
    assert ended.code == 0
    first, *rest = ended.out.splitlines()
    assert first.startswith("11 files, ")
    assert first.endswith(" edges, 4 commits")
    for title in ("languages", "roles", "symbols", "edges", "resolved", "most used files"):
        assert title in rest
    assert any(line.split()[:2] == ["6", "Python"] for line in rest)
    assert "read as text only: TOML 1/1" in rest
    assert rest[-1].startswith("the index takes ")
    assert ended.err.startswith("index: commit ")


def test_the_json_holds_the_same(harbour: Path) -> None:
    data = json.loads(ask("stats", "--format", "json", cwd=harbour).out)
    assert (data["files"], data["commits"]) == (11, 4)
    assert data["languages"]["Python"] == 6
    assert data["roles"] == {"code": 8, "config": 1, "docs": 1, "test": 1}
    assert sum(data["symbol_kinds"].values()) == data["symbols"]
    assert sum(data["edge_kinds"].values()) == sum(data["edge_hows"].values()) == data["edges"]
    assert data["bytes"] > 0
    assert data["freshness"]["is_current"]


def test_what_is_not_ranked_is_counted_too(own_harbour: Path) -> None:
    write_files(own_harbour, {"poetry.lock": "x\n", "node_modules/a.js": "x\n", "logo.png": "x\n"})
    data = json.loads(ask("stats", "--format", "json", cwd=own_harbour).out)
    assert {"lock", "vendored", "binary"} <= set(data["roles"])
    assert (data["freshness"]["files"], data["freshness"]["ranked"]) == (14, 11)


def test_without_a_refresh_the_count_is_old_and_says_so(own_harbour: Path) -> None:
    write_files(own_harbour, {"more.py": "x = 1\n"})
    old = ask("stats", "--no-refresh", cwd=own_harbour)
    assert old.out.startswith("11 files, ")
    assert "; not compared for " in old.err
    assert ask("stats", cwd=own_harbour).out.startswith("12 files, ")


def test_languages_of_few_files_share_a_line_unless_all_are_wanted(tmp_path: Path) -> None:
    endings = "go rs c cpp java kt swift rb php lua pl sh r sql cs ts".split()
    write(tmp_path, {**{f"a.{ending}": "\n" for ending in endings}, **{f"{name}.py": "\n" for name in "abc"}})
    lines = ask("stats", cwd=tmp_path).out.splitlines()
    assert lines[3].split()[:2] == ["3", "Python"]
    assert lines[4].startswith("       16  16 languages of 1 file each: Bash, C, C#, ")
    assert lines[4].endswith(" and 8 more")
    assert "languages of" not in ask("stats", "--all", cwd=tmp_path).out


def test_an_empty_repository_holds_nothing(empty: Path) -> None:
    ended = ask("stats", cwd=empty)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "0 files, 0 symbols, 0 edges, 0 commits")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["harbour"], "unexpected extra argument (harbour)"),
        (["--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["--repo", "nowhere"], "nowhere cannot be opened"),
        (["--set", "nonsense"], "nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_counted_is_told(harbour: Path, arguments: list[str], message: str) -> None:
    refused(ask("stats", *arguments, cwd=harbour), message)
