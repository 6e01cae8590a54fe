"""A model describes files; what it says is kept for the content it read."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.bottega import Ended, run, script

DESCRIBED = json.dumps(
    {
        "purpose": "Opens and closes doors.",
        "module": "doors",
        "domain": "building",
        "concepts": ["door"],
        "public_api_surface": ["open_door"],
        "complexity_notes": "",
    }
)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    (tmp_path / "doors.py").write_text("def open_door():\n    return 1\n")
    (tmp_path / "walls.py").write_text("import doors\n\ndef paint():\n    return doors.open_door()\n")
    return tmp_path


def metadata(house: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(house / ".bottega" / "curated.sqlite") as connection:
        return connection.execute("SELECT path, purpose FROM file_metadata ORDER BY path").fetchall()


def enrich(house: Path, *arguments: str, replies: list[str] | None = None) -> Ended:
    model = ["--model", script(house, replies)] if replies is not None else []
    return run("enrich", *arguments, *model, cwd=house)


def test_nothing_reaches_the_knowledge_base_before_it_is_promoted(house: Path) -> None:
    done = enrich(house, replies=[DESCRIBED] * 2)
    assert (done.code, done.out) == (0, "2 files described, 0 failed\n")
    assert metadata(house) == []
    assert enrich(house, "--promote").out == "2 files described in the knowledge base\n"
    assert metadata(house) == [("doors.py", "Opens and closes doors."), ("walls.py", "Opens and closes doors.")]


def test_only_changed_content_is_described_again(house: Path) -> None:
    enrich(house, "--promote", "-n", "9", replies=[DESCRIBED] * 2)
    (house / "doors.py").write_text("def open_door():\n    return 2\n")
    assert enrich(house, "--estimate", replies=[]).out.startswith("1 file to describe")
    assert enrich(house, "--promote", "-n", "9", replies=[DESCRIBED]).out.startswith("1 file described")
    assert len(metadata(house)) == 2


def test_an_index_made_anew_keeps_what_was_promoted(house: Path) -> None:
    enrich(house, "--promote", "-n", "9", replies=[DESCRIBED] * 2)
    assert run("index", "--rebuild", cwd=house).code == 0
    assert len(metadata(house)) == 2


def test_a_description_of_older_content_does_not_count(house: Path) -> None:
    enrich(house, "--promote", "-n", "9", replies=[DESCRIBED] * 2)
    (house / "doors.py").write_text("def open_door():\n    return 3\n")
    assert enrich(house, "--promote").out == "1 file described in the knowledge base\n"


def test_a_failure_is_written_down_and_does_not_end_the_run(house: Path) -> None:
    done = enrich(house, "--promote", "-n", "9", replies=["nonsense", "more nonsense", DESCRIBED])
    assert done.code == 4
    assert "not described: doors.py" in done.err
    assert [path for path, _ in metadata(house)] == ["walls.py"]
    again = enrich(house, "--promote", "-n", "9", replies=[DESCRIBED])
    assert again.code == 0
    assert [path for path, _ in metadata(house)] == ["doors.py", "walls.py"]


def test_files_are_chosen_by_path_and_the_most_used_comes_first(house: Path) -> None:
    assert enrich(house, "-n", "1", replies=[DESCRIBED]).out == "1 file described, 0 failed\n"
    done = enrich(house, "doors.py", "--estimate", replies=[DESCRIBED])
    assert done.out.startswith("0 files to describe")


def test_a_path_that_matches_nothing_is_refused(house: Path) -> None:
    done = enrich(house, "nowhere.py", replies=[DESCRIBED])
    assert done.code == 2
    assert "no code file matches nowhere.py" in done.err


def test_without_a_model_it_says_so(house: Path) -> None:
    done = enrich(house)
    assert done.code == 2
    assert "no model is configured" in done.err


def test_an_estimate_tells_tokens_and_becomes_exact_in_minutes_with_the_first_calls(house: Path) -> None:
    unknown = enrich(house, "--estimate", replies=[DESCRIBED] * 2)
    assert unknown.out.startswith("2 files to describe with scripted/")
    assert "minutes unknown: no call of scripted/" in unknown.out
    assert json.loads(enrich(house, "--estimate", "--json", replies=[]).out)["minutes"] is None
    enrich(house, "-n", "1", replies=[DESCRIBED])
    told = json.loads(enrich(house, "--estimate", "--json", replies=[]).out)
    assert (told["files"], told["minutes_from"]) == (1, "from 1 recorded call")
    assert told["minutes"] >= 0


def test_a_long_file_is_read_up_to_what_fits_the_window(house: Path) -> None:
    (house / "long.py").write_text("".join(f"door_{number} = 'number {number}'\n" for number in range(4000)))
    done = enrich(house, "long.py", "--set", "budget.context_window=4096", replies=[DESCRIBED])
    assert (done.code, done.out) == (0, "1 file described, 0 failed\n"), done.err
