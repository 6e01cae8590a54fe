"""A model earns to rerank files in a trial on the commits of a repository."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bottega.ask import AskRequest
from bottega.errors import InputError
from bottega.judge import TrialRequest
from bottega.judge.trial import TrialResult
from bottega.models import Request
from bottega.testing import scripted_workshop
from tests.cli.bottega import ask

ROOMS = [f"room_{number}" for number in range(14)]


@pytest.fixture
def hotel(tmp_path: Path) -> Path:
    """Each commit changes one room; its message speaks of the garden, whose file matches better."""
    root = tmp_path / "hotel"
    root.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q", "-b", "main"], cwd=root, check=True)
    (root / "garden.py").write_text("def water_garden():\n    return 'water the garden flowers'\n")
    for room in ROOMS:
        (root / f"{room}.py").write_text(f"def open_{room}():\n    return 'window'\n")
    subprocess.run([*git, "add", "."], cwd=root, check=True)
    subprocess.run([*git, "commit", "-qm", "Begin"], cwd=root, check=True)
    for room in ROOMS:
        (root / f"{room}.py").write_text(f"def open_{room}():\n    return 'window to the garden'\n")
        message = f"Show the garden and water the flowers from window {room.removeprefix('room_')}"
        subprocess.run([*git, "commit", "-qam", message], cwd=root, check=True)
    return root


def vote(knows: bool) -> Callable[[Request], str]:
    """A model that names the room of the window first, or what it is shown first."""

    def play(request: Request) -> str:
        if not request.stage.startswith("retrieve"):
            return "[HYBRID:] garden" if request.stage == "ask.router" else "[Answer:] It is `water_garden` [1]."
        text = request.messages[0].text
        number = re.search(r"window (\d+)", text)
        found = re.search(rf"\[([A-Z])\]\n`+\nroom_{number[1]}.py\n", text) if number else None
        return json.dumps({"order": [found[1] if found and knows else "A"]})

    return play


def run_trial(root: Path, knows: bool) -> TrialResult:
    with scripted_workshop(root, vote(knows)) as workshop:
        result = workshop.call(TrialRequest(commits=12))
        assert isinstance(result, TrialResult)
        assert workshop.replay(result.run).result() == result
        return result


def test_a_model_that_knows_better_earns_it_and_one_that_says_nothing_does_not(hotel: Path) -> None:
    better, worse = run_trial(hotel, knows=True), run_trial(hotel, knows=False)
    assert (better.commits, better.earned, better.lost) == (12, True, 0)
    assert better.found_with_votes > better.found
    assert (worse.earned, worse.found_with_votes) == (False, worse.found)
    assert "has not earned" in worse.render()


def test_a_model_reranks_files_in_ask_once_it_has_earned_that(hotel: Path) -> None:
    def ask_stages() -> set[str]:
        stages: set[str] = set()

        def play(request: Request) -> str:
            stages.add(request.stage)
            return vote(knows=True)(request)

        with scripted_workshop(hotel, play, settings=("budget.context_window=32000",)) as workshop:
            workshop.call(AskRequest(question="what shows the garden from window 3?"))
        return stages

    assert "retrieve.rerank" not in ask_stages()
    run_trial(hotel, knows=True)
    assert "retrieve.rerank" in ask_stages()


def test_a_repository_with_few_commits_has_no_trial(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    with scripted_workshop(tmp_path, vote(knows=True)) as workshop, pytest.raises(InputError, match="10 are needed"):
        workshop.call(TrialRequest())


def test_a_model_that_no_provider_has_is_refused_before_a_run_starts(hotel: Path) -> None:
    ended = ask("models", "trial", "nosuch/model", cwd=hotel)
    assert (ended.code, "there is no provider nosuch" in ended.err) == (2, True)
    assert ask("runs", "--json", cwd=hotel).out.count('"id"') == 0
