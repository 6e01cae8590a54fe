"""A kind and a verb of another package join by entry point, and everything that works for ours works for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.bottega import Ended, run, script

ROOT = Path(__file__).parents[2]
DOES = json.dumps({"does": "adds two numbers"})


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`examples/kind-name`, built and installed as any package is."""
    target = tmp_path_factory.mktemp("packages")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation"]
    source = str(ROOT / "examples" / "kind-name")
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), source]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return target


def bottega(place: Path, package: Path, *arguments: str) -> Ended:
    packages = os.pathsep.join([str(ROOT / "src"), str(package)])
    return run(*arguments, cwd=place, env={"PYTHONPATH": packages})


def test_its_verb_is_called_shown_resumed_and_replayed(tmp_path: Path, package: Path) -> None:
    model = script(tmp_path, ["[NAME:] 2 sum", "[NAME:] add"])
    done = bottega(tmp_path, package, "call", "name", DOES, "--model", model)
    assert (done.code, json.loads(done.out)["name"]) == (0, "add"), done.err
    assert "name" in bottega(tmp_path, package, "call").out.splitlines()
    shown = bottega(tmp_path, package, "runs", "show", "last").out
    assert "validation identifier = failed: 2 sum" in shown
    assert "name: add" in shown
    assert bottega(tmp_path, package, "resume", "last").out == "add\n"
    assert bottega(tmp_path, package, "replay", "last").out == "add\n"


def test_its_pipelines_are_listed_and_can_be_extended(tmp_path: Path, package: Path) -> None:
    own = tmp_path / "terse.yaml"
    own.write_text("pipeline: {name: terse, extends: name, remove: [again], steps: [{id: propose, action:"
                   " propose_name, on_good: finish, on_bad: finish}]}\n")  # fmt: skip
    assert "ok  terse" in bottega(tmp_path, package, "pipelines", "check", str(own)).out
    request = json.dumps({"does": "adds", "pipeline": str(own)})
    model = script(tmp_path, ["[NAME:] 2 sum"])
    done = bottega(tmp_path, package, "call", "name", request, "--model", model)
    assert (done.code, json.loads(done.out)["is_identifier"]) == (1, False)


def test_bad_requests_are_refused_by_field(tmp_path: Path, package: Path) -> None:
    done = bottega(tmp_path, package, "call", "name", '{"dose": 1}')
    assert (done.code, done.out) == (2, "")
    assert "does: Field required" in done.err
    assert "dose" in done.err


def test_without_the_package_its_runs_are_told_and_refused(tmp_path: Path, package: Path) -> None:
    model = script(tmp_path, ["[NAME:] add"])
    assert bottega(tmp_path, package, "call", "name", DOES, "--model", model).code == 0
    assert "name" in run("runs", cwd=tmp_path).out
    refused = run("replay", "last", cwd=tmp_path)
    assert refused.code == 2
    assert "of the kind name, which this version lacks" in refused.err


def _register(folder: Path, group: str, entry: str, module: str = "") -> None:
    """A package of somebody else with one entry point."""
    info = folder / "elsewhere-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    if module:
        (folder / "elsewhere.py").write_text(module)


def test_another_package_cannot_replace_what_ships(tmp_path: Path) -> None:
    _register(tmp_path / "packages", "bottega.kinds", "write = elsewhere:KIND", "raise SystemExit('taken over')\n")
    place = tmp_path / "work"
    place.mkdir()
    model = script(place, ["```python\ndef double(n):\n    return 2 * n\n```"])
    done = bottega(place, tmp_path / "packages", "write", "///raw double", "--model", model)
    assert (done.code, "taken over" in done.err) == (0, False), done.err


@pytest.mark.parametrize(
    ("entry", "module", "problem"),
    [
        ("gone = elsewhere:KIND", "", "cannot be loaded: No module named 'elsewhere'"),
        ("gone = elsewhere:KIND", "OTHER = 1\n", "cannot be loaded"),
        ("gone = elsewhere:KIND", "KIND = 1\n", "is not a Kind"),
    ],
)
def test_a_package_whose_kind_cannot_be_used_is_named(tmp_path: Path, entry: str, module: str, problem: str) -> None:
    _register(tmp_path / "packages", "bottega.kinds", entry, module)
    place = tmp_path / "work"
    place.mkdir()
    done = bottega(place, tmp_path / "packages", "pipelines", "list")
    assert done.code == 2
    assert "the kind gone of the package elsewhere" in done.err
    assert problem in done.err
    assert "Traceback" not in done.err
