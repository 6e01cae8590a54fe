"""Every pipeline of the gallery is loaded, checked, and carried out with a scripted model."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.cli.bottega import SURE, Ended, run, script
from tests.docs import bakery
from tests.docs.console import read_files

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"
FILES = {name.removesuffix(".yaml"): text for name, text in read_files(PAGE).items()}
needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

REQUEST = "a Python function double(n): double(4) returns 8"
GOOD, WRONG = "def double(n):\n    return 2 * n\n", "def double(n):\n    return n + 2\n"
DOUBTFUL = '{"judgement_summary": "Negative numbers?", "confidence_score": 4, "conflict_score": 2}'
NOTHING = '{"findings": []}'
ANSWER = (
    '{"statements": [{"evidence": [1], "text": "Above `HOTTEST`, `Oven.preheat` raises `OvenTooHot`."}], "missing": ""}'
)
VOTES = ['{"reason": "An unquoted name is split.", "vote": "reject"}'] * 2 + ['{"reason": "Fine.", "vote": "accept"}']
REPORT = '{"calls": [{"tool": "submit_report", "summary": "A part of a bakery.", "completeness": 1}]}'
SYNTHESIS = '{"calls": [{"tool": "submit_report", "detailed": "", "brief": "A small bakery in Python with an oven."}]}'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The bakery, and the gallery where a person would save it."""
    own = tmp_path / "home" / ".config" / "bottega" / "pipelines"
    own.mkdir(parents=True)
    for name, text in FILES.items():
        (own / f"{name}.yaml").write_text(text)
    return bakery.build(tmp_path)


def carry_out(place: Path, *arguments: str, replies: Mapping[str, Sequence[str]]) -> Ended:
    model = script(place.parent, replies)
    return run(*arguments, "--model", model, cwd=place, env={"HOME": str(place.parent / "home")})


def show_steps(place: Path) -> str:
    return run("runs", "show", "last", cwd=place, env={"HOME": str(place.parent / "home")}).out


def test_every_pipeline_is_found_and_checked(place: Path) -> None:
    checked = run("pipelines", "check", *FILES, cwd=place, env={"HOME": str(place.parent / "home")})
    assert [line.split()[:2] for line in checked.out.splitlines()] == [["ok", name] for name in FILES], checked.err


def test_every_pipeline_is_in_the_table() -> None:
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(#", PAGE.read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(FILES)


@needs_sandbox
def test_persistent_corrects_until_the_examples_hold(place: Path) -> None:
    replies = {"write.coder": [WRONG], "write.fixer": [WRONG.replace("2", str(n)) for n in (3, 5, 6)] + [GOOD]}
    done = carry_out(place, "write", REQUEST, "--pipeline", "write-persistent", replies=replies)
    assert (done.code, done.out) == (0, GOOD), done.err


@needs_sandbox
def test_judged_asks_the_judge_although_the_examples_hold(place: Path) -> None:
    replies = {"write.coder": [GOOD], "write.judge": [DOUBTFUL, SURE], "write.reviewer": [GOOD]}
    done = carry_out(place, "write", REQUEST, "--pipeline", "write-judged", replies=replies)
    assert done.code == 0, done.err
    assert "call_reviewer" in show_steps(place)


def test_shell_lets_three_vote_and_calls_the_reviewer(place: Path) -> None:
    draft, better = "#!/bin/bash\nrm -r $1\n", '#!/bin/bash\nset -eu\nrm -r -- "$1"\n'
    replies = {"write.coder": [draft], "write.voter": VOTES, "write.reviewer": [better], "write.judge": [SURE]}
    done = carry_out(
        place, "write", "remove a directory", "--lang", "bash", "--pipeline", "write-shell", replies=replies
    )
    assert done.out == better, done.err
    assert "vote on quoting, and names with blanks or a leading dash" in show_steps(place)


def test_the_hook_asks_one_reviewer_and_refuses_what_is_critical(place: Path) -> None:
    (place / "bakery" / "oven.py").write_text("HEAT = 3\n")
    run_git(place, "add", "-A")
    arguments = ("review", "--staged", "--pipeline", "review-hook", "--fail-on", "CRITICAL", "--format", "json")
    done = carry_out(place, *arguments, replies={"review.reviewer": [NOTHING]})
    assert done.code == 0, done.err
    assert [reviewer["name"] for reviewer in json.loads(done.out)["panel"]] == ["general"]
    (place / "bakery" / "keys.py").write_text('TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"\n')
    run_git(place, "add", "-A")
    assert carry_out(place, *arguments, replies={"review.reviewer": [NOTHING]}).code == 1


def test_the_strict_review_has_two_reviewers_for_misuse(place: Path) -> None:
    (place / "bakery" / "oven.py").write_text("HEAT = 3\n")
    arguments = ("review", "--pipeline", "review-strict", "--format", "json")
    done = carry_out(place, *arguments, replies={"review.reviewer": [NOTHING] * 8})
    panel = [reviewer["name"] for reviewer in json.loads(done.out)["panel"]]
    assert panel == ["security", "security-2", "logic", "api-contract"], done.err


@pytest.mark.parametrize("pipeline", ["ask-deep", "ask-words"])
def test_questions_are_answered_with_checked_citations(place: Path, pipeline: str) -> None:
    replies = {"ask.router": ["[HYBRID:] oven too hot"], "ask.answer": [ANSWER]}
    done = carry_out(place, "ask", "what happens when the oven is too hot?", "--pipeline", pipeline, replies=replies)
    assert done.code == 0, done.err
    assert "bakery/oven.py" in done.out
    assert ("call ask.router" in show_steps(place)) == (pipeline == "ask-deep")


def test_the_glance_asks_for_no_survey_and_no_plan(place: Path) -> None:
    replies = {"investigate.directory": [REPORT] * 6, "investigate.synthesis": [SYNTHESIS]}
    done = carry_out(place, "investigate", ".", "--pipeline", "investigate-glance", replies=replies)
    assert "A small bakery" in done.out, done.err


def run_git(place: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=place, env={"PATH": os.environ["PATH"], "HOME": str(place)}, check=True)
