"""Law 9: every command works on the freshly written template."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.bottega import GOOD, good_script, run, script

COMMANDS = {
    "config show": 0,
    "config show --format json": 0,
    "config check": 0,
    "models": 0,
    "models --format json": 0,
    "models --probe scripted/nowhere.yaml": 2,
    "models rm qwen2.5-coder-0.5b": 0,
    "models pull no-such-model": 2,
    "pipelines list": 0,
    "pipelines list --format json": 0,
    "pipelines show write-tested": 0,
    "pipelines show write --format json": 0,
    "pipelines check": 0,
    "pipelines draw write": 0,
    "pipelines draw write-vote --format mermaid": 0,
    "runs": 0,
    "runs list --format json": 0,
    "runs list --status done --pipeline write -n 3": 0,
    "runs show last": 0,
    "runs show last --calls": 0,
    "runs show last --format json": 0,
    "runs gc": 0,
    "runs gc --days 1 --keep 0": 0,
    "resume last": 0,
    "replay last": 0,
    "init": 2,
    "init --force --model scripted/x": 0,
    "write": 2,
}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh")
    assert run("init", "--model", "ollama/some-model", cwd=folder).code == 0
    ended = run("write", "double a number", "--model", good_script(folder), cwd=folder)
    assert (ended.code, ended.out) == (0, GOOD)
    return folder


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_runs_on_the_fresh_template(fresh: Path, line: str) -> None:
    ended = run(*line.split(), cwd=fresh)
    assert ended.code == COMMANDS[line], ended.err
    assert "Traceback" not in ended.err


def test_init_never_overwrites_without_force(tmp_path: Path) -> None:
    (tmp_path / "bottega.toml").write_text("# mine\n")
    assert run("init", cwd=tmp_path).code == 2
    assert (tmp_path / "bottega.toml").read_text() == "# mine\n"


def test_config_show_tells_where_each_value_came_from(tmp_path: Path) -> None:
    (tmp_path / "bottega.toml").write_text('[write]\nlanguage = "go"\n')
    shown = run(
        "config", "show", "--set", "limits.tokens=5", cwd=tmp_path, env={"BOTTEGA_HISTORY_MAX_ENTRIES": "7"}
    ).out
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert 'write.language "go" (bottega.toml:2)' in lines
    assert "limits.tokens 5 (--set limits.tokens)" in lines
    assert "history.max_entries 7 (BOTTEGA_HISTORY_MAX_ENTRIES)" in lines
    assert "sandbox.memory_mb 1024 (default)" in lines


def test_resume_and_replay_print_the_code(tmp_path: Path) -> None:
    run("write", "double", "--model", good_script(tmp_path), cwd=tmp_path)
    assert run("replay", "last", cwd=tmp_path).out == GOOD
    assert run("resume", "last", cwd=tmp_path).out == GOOD


def test_a_failed_run_is_resumed_with_another_model(tmp_path: Path) -> None:
    two = "```\na = 1\n```\n```\nb = 2\n```"
    assert run("write", "double", "--model", script(tmp_path, {"write.coder": [two, two]}), cwd=tmp_path).code == 3
    ended = run("resume", "last", "--model", good_script(tmp_path), cwd=tmp_path)
    assert (ended.code, ended.out) == (0, GOOD)
    assert run("replay", "last", cwd=tmp_path).code == 0
