"""Progress and errors on a terminal: one changing line, errors on lines of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.testing import Fail, Hang, Say, ScriptedServer, Stall
from tests.cli.bottega import GOOD, SURE, run
from tests.cli.screen import on_a_terminal

SERVED = {"OPENAI_API_KEY": "k"}
DESCRIBED = json.dumps(
    {
        "purpose": "Opens doors.",
        "module": "doors",
        "domain": "building",
        "concepts": [],
        "public_api_surface": [],
        "complexity_notes": "",
    }
)
ANSWER = json.dumps(
    {
        "statements": [
            {"evidence": [1], "text": "`open_door1` returns 1."},
            {"evidence": [1], "text": "`open_door1` takes no arguments."},
        ],
        "missing": "",
    }
)


def served(server: ScriptedServer) -> dict[str, str]:
    return {**SERVED, "OPENAI_BASE_URL": f"{server.url}/v1"}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"door{number}.py").write_text(f"def open_door{number}():\n    return {number}\n")
    assert run("index", "--yes", cwd=tmp_path).code == 0
    return tmp_path


def test_an_error_starts_on_a_line_of_its_own(tmp_path: Path) -> None:
    with ScriptedServer([Fail(400, "no such thing")], repeat_last=True) as server:
        shown = on_a_terminal("write", "double", "--model", "openai/m", cwd=tmp_path, env=served(server))
    assert shown.code == 3
    assert [line for line in shown.lines if "bottega: " in line and not line.startswith("bottega: ")] == []
    assert any(line.startswith("bottega: openai/m") for line in shown.lines)


def test_ctrl_c_names_the_run_on_a_line_of_its_own(tmp_path: Path) -> None:
    pressed: list[str] = []

    def press(seen: str) -> str:
        if pressed or not server.asked:
            return ""
        pressed.append("\x03")
        return "\x03"

    with ScriptedServer([Hang(), Say(GOOD), Say(SURE)]) as server:
        shown = on_a_terminal("write", "double", "--model", "openai/m", cwd=tmp_path, env=served(server), press=press)
        assert shown.code == 130
        assert "bottega: interrupted" in shown.lines
        (run_id,) = [entry["id"] for entry in json.loads(run("runs", "--json", cwd=tmp_path).out)["runs"]]
        assert f"  hint: `bottega resume {run_id}` goes on with this run." in shown.lines
        assert run("resume", run_id, "--model", "openai/m", cwd=tmp_path, env=served(server)).out == GOOD


def test_many_files_come_with_a_bar_that_counts_them(house: Path) -> None:
    with ScriptedServer([Say(DESCRIBED, delay=0.2)], repeat_last=True) as server:
        shown = on_a_terminal("enrich", "--model", "openai/m", cwd=house, env=served(server))
    assert shown.code == 0
    for done in ("0/4", "2/4", "3/4"):
        assert f"] {done}" in shown.raw
    assert not any("/4" in line for line in shown.lines)
    assert "4 files described, 0 failed" in shown.lines


def test_long_work_tells_the_time_left(house: Path) -> None:
    with ScriptedServer([Say(DESCRIBED, delay=1.1)], repeat_last=True) as server:
        shown = on_a_terminal("enrich", "--model", "openai/m", cwd=house, env=served(server))
    assert " s left" in shown.raw


def test_an_answer_that_breaks_off_is_followed_by_an_error_on_its_own_line(house: Path) -> None:
    with ScriptedServer([Say("[HYBRID:] open_door1"), Stall(ANSWER, len(ANSWER) - 9)], repeat_last=True) as server:
        question = ("ask", "what does open_door1 return?", "--set", "limits.retries=0")
        model = ("--model", "openai/m", "--timeout", "3")
        shown = on_a_terminal(*question, *model, cwd=house, env=served(server))
    assert shown.code == 3
    assert any("`open_door1` returns 1" in line for line in shown.lines)
    assert any(line.startswith("bottega: openai/m gave no answer") for line in shown.lines)


def test_progress_does_not_erase_an_answer_that_is_being_printed(house: Path) -> None:
    with ScriptedServer([Say("[HYBRID:] open_door1"), Say(ANSWER, pace=0.05)]) as server:
        shown = on_a_terminal(
            "ask", "what does open_door1 return?", "--model", "openai/m", cwd=house, env=served(server)
        )
    assert shown.code == 0
    assert sum("`open_door1` returns 1" in line for line in shown.lines) == 1
