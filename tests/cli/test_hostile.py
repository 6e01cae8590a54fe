"""What a hostile repository, a strange terminal or a clumsy hand must not achieve."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bottega.testing import Fail, Say, ScriptedServer, ServedModel
from tests.cli.bottega import GOOD, good_script, run, script, sealed

ESCAPE = "\x1b]0;owned\x07"


def shell(line: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(cwd / "home"), "LANG": "C.UTF-8", **env}
    bottega = f"{sys.executable} -m bottega"
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("bottega ", f"{bottega} ", 1)],
        cwd=cwd,
        env=environ,
        capture_output=True,
        check=False,
    )


def test_a_repository_s_own_modules_are_not_run_by_the_worker(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "x.gguf").write_bytes(b"junk")
    for name in ("bottega.py", "json.py", "typing.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    command = [str(Path(sys.executable).parent / "bottega"), "write", "x", "--model", "embedded/x.gguf"]
    ended = subprocess.run(command, cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, check=False)
    assert ended.returncode == 3
    assert not (tmp_path / "ran").exists()


def test_a_journal_that_came_with_a_repository_chooses_no_model(tmp_path: Path) -> None:
    run("write", "double", "--model", good_script(tmp_path), cwd=tmp_path)
    choice = {"model": "box/m", "where": "here", "provider": "box", "kind": "openai", "base_url": "http://192.0.2.1/v1"}
    db = sqlite3.connect(tmp_path / ".bottega" / "raw.sqlite")
    db.execute("INSERT OR REPLACE INTO model_facts VALUES ('workshop', 'model', ?, '')", (json.dumps(choice),))
    db.commit()
    db.close()
    ended = run("write", "double", cwd=tmp_path)
    assert ended.code == 2
    assert "no model is configured" in ended.err


def test_nothing_from_outside_steers_the_terminal(tmp_path: Path) -> None:
    folder = sealed(tmp_path / ".bottega" / "pipelines")
    name = json.dumps(f"mine{ESCAPE}")
    (folder / "p.yaml").write_text(f"pipeline: {{name: {name}, extends: write, description: {name}}}\n")
    run("write", f"double {ESCAPE}\u202e", "--model", good_script(tmp_path), cwd=tmp_path)
    for arguments in (
        ["pipelines", "list"],
        ["runs"],
        ["runs", "show", "last", "--calls"],
        ["write", "--mode", ESCAPE, "x"],
    ):
        ended = run(*arguments, cwd=tmp_path)
        assert "\x1b" not in ended.out + ended.err
        assert "\u202e" not in ended.out + ended.err


def test_a_server_s_words_do_not_steer_the_terminal(tmp_path: Path) -> None:
    with ScriptedServer([Fail(400, f"no {ESCAPE}")]) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1"}
        ended = run("write", "x", "--model", "openai/m", cwd=tmp_path, env=env)
    assert ended.code == 3
    assert "\x1b" not in ended.err


def test_a_model_name_with_a_space_is_a_model_name(tmp_path: Path) -> None:
    with ScriptedServer([Say(GOOD)], models=[ServedModel("My Models/coder.gguf")]) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1"}
        ended = run("write", "///raw double", cwd=tmp_path, env=env)
    assert (ended.code, ended.out) == (0, GOOD)


@pytest.mark.parametrize("name", ["bottega.toml", "pyproject.toml", ".bottega/pipelines/a.yaml"])
def test_a_pipe_in_the_place_of_a_file_does_not_hang(tmp_path: Path, name: str) -> None:
    if name.startswith(".bottega"):
        sealed((tmp_path / name).parent)
    os.mkfifo(tmp_path / name)
    ended = run("pipelines", "list", cwd=tmp_path, timeout=30)
    assert ended.code == 2
    assert "is not a file" in ended.err


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("bottega runs | true", 0),
        ("bottega write x --model MODEL > /dev/full", 3),
        ("bottega write x --model MODEL >&-", 3),
        ("bottega config show > /dev/full", 3),
    ],
)
def test_an_output_that_takes_nothing_is_told_without_a_traceback(tmp_path: Path, line: str, code: int) -> None:
    done = shell(line.replace("MODEL", good_script(tmp_path)), tmp_path)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("ending", ["2>&-", "2> /dev/full"])
def test_a_log_that_takes_nothing_does_not_cost_the_code(tmp_path: Path, ending: str) -> None:
    done = shell(f"bottega write x --model {good_script(tmp_path)} {ending}", tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, GOOD)


def test_a_terminal_that_knows_no_letters_beyond_ascii_is_served(tmp_path: Path) -> None:
    done = shell("bottega pipelines draw write", tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0


def test_a_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    place = tmp_path / "gone"
    place.mkdir()
    command = str(Path(sys.executable).parent / "bottega")
    done = subprocess.run(
        ["/bin/sh", "-c", f"rmdir {place}; {command} runs"], cwd=place, capture_output=True, check=False
    )
    assert done.returncode in {2, 3}
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["init", "--model", "bogus"],
        ["init", "--model", f"a/{ESCAPE}"],
        ["runs", "-n", "9" * 30],
        ["runs", "gc", "--days", "800000"],
        ["runs", "show", "a" * 100_000],
        ["config", "check", "--set", "a." * 2000 + "b=1"],
        ["config", "check", "--set", "limits.tokens=" + "[" * 5000],
        ["config", "check", "--set", "limits.tokens=" + "9" * 5000],
        ["config", "check", "--set", "providers.ollama.base_url=http://127.0.0.1:abc"],
        ["config", "check", "--set", "write.language=klingon"],
        ["config", "check", "--set", "write.pipeline=../../x"],
        ["write", "x", "--repo", "nowhere/at/all"],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_strange_words_end_in_one_message(tmp_path: Path, arguments: list[str]) -> None:
    ended = run(*arguments, cwd=tmp_path)
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert ended.err.startswith("bottega: ")


@pytest.mark.parametrize("action", ["call_fixer", "choose_best", "judge_candidates", "finish"])
def test_a_pipeline_that_makes_no_code_ends_in_a_message(tmp_path: Path, action: str) -> None:
    last = "" if action == "finish" else "\n    - {id: end, action: finish}"
    step = f"{{id: first, action: {action}{'' if action == 'finish' else ', next: end'}}}"
    text = (
        f"pipeline:\n  name: odd\n  kind: write\n  settings: {{entry_step_id: first}}\n  steps:\n    - {step}{last}\n"
    )
    (tmp_path / "odd.yaml").write_text(text)
    ended = run("write", "x", "--pipeline", "odd.yaml", "--model", good_script(tmp_path), cwd=tmp_path)
    assert ended.code in {2, 4}
    assert "Traceback" not in ended.err


def test_a_judge_that_talks_without_end_escalates(tmp_path: Path) -> None:
    garbage = "{" * 60_000
    parts = {"write.coder": [GOOD], "write.judge": [garbage] * 4, "write.reviewer": [GOOD]}
    ended = run("write", "double", "--model", script(tmp_path, parts), cwd=tmp_path)
    assert (ended.code, ended.out) == (0, GOOD)
    assert "judge → objects" in ended.err


def test_an_env_file_that_names_our_own_words_does_not_break_resume(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A_SECRET=entry_step_id\nPASSWORD=parse_request\nTOKEN=call_coder_1\n")
    run("write", "double", "--model", good_script(tmp_path), cwd=tmp_path)
    assert run("replay", "last", cwd=tmp_path).out == GOOD


def test_a_resumed_run_says_that_a_secret_was_masked(tmp_path: Path) -> None:
    code = "PASSWORD = 'Correct-Horse9-Battery'\n"
    broken = script(tmp_path, {"write.coder": [code]})
    assert run("write", "set the password", "--model", broken, cwd=tmp_path).code == 3
    ended = run("resume", "last", "--model", good_script(tmp_path), cwd=tmp_path)
    assert ended.code == 4
    assert "«masked:" in ended.out
    assert "records keep no secrets" in ended.err


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert run("runs", cwd=tmp_path).out == "no runs yet\n"
    assert not (tmp_path / ".bottega").exists()
