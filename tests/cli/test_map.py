"""`bottega map`: as much of the repository as fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.bottega import ask, refused
from tests.retrieve.harbour import write_files


def test_a_map_shows_files_with_what_others_use_of_them(harbour: Path) -> None:
    ended = ask("map", cwd=harbour)
    assert ended.code == 0
    lines = ended.out.splitlines()
    at = lines.index("harbour/tides.py")
    assert lines[at + 1 : at + 3] == ["  def high_water(day):  :4", "  def low_water(day):  :9"]
    assert "tests/test_berths.py" not in lines
    assert ended.err.startswith("about ")
    assert "tokens; index: commit " in ended.err


def test_the_json_holds_the_same(harbour: Path) -> None:
    data = json.loads(ask("map", "--format", "json", cwd=harbour).out)
    assert set(data) == {"files", "left_out", "tokens", "text", "freshness"}
    assert data["left_out"] == 0
    symbols = {file["path"]: [symbol["name"] for symbol in file["symbols"]] for file in data["files"]}
    assert symbols["harbour/tides.py"] == ["high_water", "low_water"]


def test_a_budget_is_kept_and_what_is_left_out_is_counted(empty: Path) -> None:
    write_files(empty, {f"house_{n}.py": f"def open_door_{n}():\n    return {n}\n" for n in range(60)})
    data = json.loads(ask("map", "--tokens", "64", "--format", "json", cwd=empty).out)
    assert 0 < data["tokens"] <= 64
    assert len(data["files"]) + data["left_out"] == 60
    printed = ask("map", "--tokens", "64", "--no-refresh", cwd=empty)
    assert printed.out.endswith(f"… and {data['left_out']} more files\n")
    assert "not compared for" in printed.err


def test_a_folder_narrows_the_map(harbour: Path) -> None:
    data = json.loads(ask("map", "--path", "web", "--format", "json", cwd=harbour).out)
    assert [file["path"] for file in data["files"]] == ["web/table.ts", "web/tide.ts"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tokens", "3"], "3 is not in the range"),
        (["--tokens", "many"], "'many' is not a valid integer"),
        (["--tokens", "9" * 30], "is not in the range"),
        (["harbour"], "unexpected extra argument (harbour)"),
        (["--format", "svg"], "'svg' is not one of 'text', 'json'"),
        (["--repo", "nowhere"], "nowhere cannot be opened"),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_what_cannot_be_mapped_is_told(harbour: Path, arguments: list[str], message: str) -> None:
    refused(ask("map", *arguments, cwd=harbour), message)


def test_an_empty_repository_has_an_empty_map(empty: Path) -> None:
    ended = ask("map", cwd=empty)
    assert (ended.code, ended.out.strip()) == (0, "")
