"""Every console example of README and docs is carried out and shows what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs import bakery
from tests.docs.console import Example, examples, matches

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [example for page in PAGES for example in examples(page, str(page.relative_to(ROOT)))]

DOUBLE = "def double(n):\n    return 2 * n\n"
FIB = "def fib(n):\n    if n <= 1:\n        return n\n    else:\n        return fib(n-1) + fib(n-2)\n"
READING = {"call", "index", "search", "show", "graph", "map", "stats", "enrich", "ask", "chat", "chats", "review"}
READING |= {"investigate", "scan", "similar", "unused", "open", "doctor", "retrieve"}
OVEN = (
    '{"purpose": "Heats an oven and bakes in it.", "module": "oven", "domain": "baking", "concepts": ["heat"],'
    ' "public_api_surface": ["Oven"], "complexity_notes": ""}'
)
TOO_HOT = (
    '{"statements": [{"evidence": [1], "text": "Above `HOTTEST`, `Oven.preheat` raises `OvenTooHot`."},'
    ' {"evidence": [1], "text": "It calls the fire brigade."}], "missing": ""}'
)
SURE = '{"judgement_summary": "Right.", "confidence_score": 10, "conflict_score": 1}'
EVAL = (
    '{"findings": [{"title": "eval of what is typed", "path": "bakery/oven.py", "line": 29, "last_line": 29,'
    ' "problem": "`eval(input())` runs whatever is typed at the oven.", "evidence": ["HEAT = eval(input())"],'
    ' "severity": "CRITICAL", "confidence": 90, "suggestion": "Use float(input())."}]}'
)
REVIEWED = {"review.reviewer": [EVAL, *['{"findings": []}'] * 3]}
CONCERN = (
    '{"tool": "flag", "path": "bakery/oven.py", "finding": "Nothing keeps two from baking in one oven at once.",'
    ' "severity": "concern", "line": 6, "quote": "class OvenTooHot"}'
)
INVESTIGATED = {
    "investigate.survey": ['{"calls": [{"tool": "submit_survey", "description": "A bakery.", "confidence": 0.9}]}'],
    "investigate.plan": ['{"calls": [{"tool": "submit_plan", "investigation_order": "leaf-first"}]}'],
    "investigate.directory": [
        f'{{"calls": [{CONCERN}, {{"tool": "submit_report", "completeness": 0.9,'
        ' "summary": "The bakery itself: recipes, and the oven they are baked in."}]}',
        '{"calls": [{"tool": "submit_report", "summary": "Tests of the orders.", "completeness": 1}]}',
        '{"calls": [{"tool": "submit_report", "summary": "A bakery with its tests.", "completeness": 1}]}',
    ],
    "investigate.synthesis": [
        '{"calls": [{"tool": "submit_report", "detailed": "",'
        ' "brief": "A small bakery in Python: recipes, and an oven that bakes them."}]}'
    ],
}
ASKED = {"ask.router": ["[HYBRID:] oven too hot"], "ask.answer": [TOO_HOT]}


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_example_shows_what_the_page_says(example: Example, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    _install_programs(tmp_path)
    is_reading = any(verb in READING for line, _ in example.commands for verb in re.findall(r"bottega (\w+)", line))
    place = bakery.build(tmp_path) if is_reading else tmp_path
    example.write_files(place)
    for line, expected in example.commands:
        shown = _terminal(line, tmp_path, place)
        assert matches(expected, shown), f"{example}: $ {line}\n--- the page\n{expected}\n--- the terminal\n{shown}"


def test_there_are_examples_for_every_verb() -> None:
    from bottega.cli import COMMANDS

    shown = {
        verb for example in EXAMPLES for line, _ in example.commands for verb in re.findall(r"bottega (\w+)", line)
    }
    assert shown >= set(COMMANDS)


def _install_programs(folder: Path) -> None:
    """`bottega`, and a `pip` that installs packages of the page for it, without a network."""
    python, packages = shlex.quote(sys.executable), shlex.quote(str(folder / "packages"))
    options = f"--no-deps --no-index --no-build-isolation --disable-pip-version-check --target {packages}"
    programs = {
        "bottega": f'PYTHONPATH={packages} exec {python} -m bottega "$@"',
        "pip": f'exec {python} -m pip "$@" {options}',
    }
    (folder / "bin").mkdir()
    for name, line in programs.items():
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)


def _terminal(line: str, folder: Path, place: Path) -> str:
    """What a terminal shows: both streams in their order, and the exit code when it is not 0."""
    replies = folder / "replies.yaml"
    code = FIB if "fib" in line else DOUBLE
    replies.write_text(
        yaml.safe_dump(
            {
                "write.coder": [code],
                "write.judge": [SURE],
                "enrich.describe": [OVEN],
                "name.propose": ["[NAME:] add"],
                **ASKED,
                **REVIEWED,
                **INVESTIGATED,
            }
        )
    )
    environ = {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        **bakery.AUTHOR,
        "BOTTEGA_MODELS_DEFAULT": f"scripted/{replies}",
    }
    if line.startswith("bottega init"):
        del environ["BOTTEGA_MODELS_DEFAULT"]
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=place, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    ended = f"[exit {done.returncode}]\n" if done.returncode else ""
    return done.stdout.decode() + ended
