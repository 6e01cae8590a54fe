"""`bottega write` from the shell: what goes where, and what each bad input ends in."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from bottega.testing import Fail, Say, ScriptedServer
from tests.cli.bottega import GOOD, good_script, run, script, sealed

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def test_standard_output_is_the_code_alone(tmp_path: Path) -> None:
    ended = run("write", "double a number", "--model", good_script(tmp_path), cwd=tmp_path)
    assert (ended.code, ended.out) == (0, GOOD)
    assert "judge → no objection" in ended.err
    assert "accept" not in ended.err


def test_json_holds_the_output_and_what_was_checked(tmp_path: Path) -> None:
    ended = run("write", "double", "--format", "json", "--model", good_script(tmp_path), cwd=tmp_path)
    told = json.loads(ended.out)
    assert set(told) == {
        *("run", "output", "language", "fault", "escalated", "escalation_reason", "checks", "summary"),
    }
    assert (told["output"], told["language"], told["fault"]) == (GOOD, "Python", "")
    assert [set(check) for check in told["checks"]] == [{"what", "by", "result", "detail"}] * 2
    assert told["checks"][0]["result"] == "not run"


@needs_sandbox
def test_examples_that_fail_after_the_repair_end_in_exit_1_with_the_code_printed(tmp_path: Path) -> None:
    wrong = "def double(n):\n    return n + 2\n"
    model = script(tmp_path, {"write.coder": [wrong], "write.fixer": [wrong]})
    ended = run("write", "double(n); double(5) returns 10", "--model", model, cwd=tmp_path)
    assert (ended.code, ended.out) == (1, wrong)
    assert "checked: only 0 of 1 examples from the request held" in ended.err
    assert "the code fails examples of the request: double(5) returned 7, but 10 is expected" in ended.err


@needs_sandbox
def test_the_result_line_names_what_was_checked(tmp_path: Path) -> None:
    model = script(tmp_path, {"write.coder": [GOOD]})
    ended = run("write", "double(n); double(5) returns 10", "--model", model, cwd=tmp_path)
    assert (ended.code, ended.out) == (0, GOOD)
    assert "checked: 1 of 1 examples from the request ran and held; compiles (Python 3." in ended.err


def test_the_request_may_come_from_standard_input_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "request.txt").write_text("///raw double", encoding="utf-8")
    model = script(tmp_path, {"write.coder": [GOOD, GOOD]})
    assert run("write", "-f", "request.txt", "--model", model, cwd=tmp_path).out == GOOD
    assert run("write", "--model", model, cwd=tmp_path, stdin=b"///raw double").out == GOOD


def test_out_writes_a_file_and_tells_the_language(tmp_path: Path) -> None:
    go = "package main\n\nfunc Double(n int) int { return 2 * n }\n"
    model = script(tmp_path, {"write.coder": [go]})
    ended = run("write", "///raw double", "--out", "double.go", "--model", model, cwd=tmp_path)
    assert (ended.code, ended.out) == (0, "")
    assert (tmp_path / "double.go").read_text() == go
    assert '"Go"' in run("runs", "show", "last", cwd=tmp_path).out


def test_context_brings_earlier_turns_along(tmp_path: Path) -> None:
    model = good_script(tmp_path, 2)
    run("write", "the first request", "--model", model, cwd=tmp_path)
    assert run("write", "the second", "--context", "3", "--model", good_script(tmp_path), cwd=tmp_path).code == 0
    assert "the first request" in run("runs", "show", "last", "--calls", cwd=tmp_path).out


def test_code_that_does_not_parse_is_printed_and_exits_4(tmp_path: Path) -> None:
    model = script(tmp_path, {"write.coder": ["def f(:\n"]})
    ended = run("write", "///raw x", "--model", model, cwd=tmp_path)
    assert ended.code == 4
    assert ended.out == "def f(:\n"
    assert "does not parse as Python" in ended.err


BAD_INPUT = {
    "empty": (["write", ""], None, 2, "the request is empty"),
    "empty stdin": (["write"], b"", 2, "the request is empty"),
    "blank": (["write", "   "], None, 2, "the request is empty"),
    "binary": (["write"], b"\x7fELF\x00\x01", 2, "binary"),
    "not utf-8": (["write"], b"caf\xe9 please", 2, "not UTF-8"),
    "words not utf-8": (["write", "caf\udce9"], None, 2, "not UTF-8"),
    "unknown tag": (["write", "///fast x"], None, 2, "unknown tag"),
    "unknown mode": (["write", "x", "--mode", "fast"], None, 2, "there is no mode"),
    "unknown language": (["write", "x", "--lang", "klingon"], None, 2, "there is no language"),
    "unknown pipeline": (["write", "x", "--pipeline", "wrte"], None, 2, "there is no pipeline"),
    "missing file": (["write", "-f", "nowhere.txt"], None, 2, "cannot be read"),
    "unknown option": (["write", "x", "--fast"], None, 2, "No such option"),
    "bad setting": (["write", "x", "--set", "write.speed=1"], None, 2, "no such setting"),
    "bad model id": (["write", "x", "--model", "gpt"], None, 2, "provider/model"),
    "unknown provider": (["write", "x", "--model", "nobody/x"], None, 2, "there is no provider"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_ends_in_one_message_and_a_hint(tmp_path: Path, case: str) -> None:
    arguments, stdin, code, message = BAD_INPUT[case]
    if "--model" not in arguments:
        arguments = [*arguments, "--model", good_script(tmp_path)]
    ended = run(*arguments, cwd=tmp_path, stdin=stdin)
    assert ended.code == code
    assert ended.out == ""
    lines = ended.err.strip().splitlines()
    assert lines[0].startswith("bottega: ")
    assert message in ended.err
    assert len(lines) <= 2
    assert "Traceback" not in ended.err


def test_a_request_of_5_mb_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    ended = run("write", "--model", good_script(tmp_path), cwd=tmp_path, stdin=b"x " * 2_500_000)
    assert ended.code == 2
    assert "does not fit" in ended.err
    assert "hint:" in ended.err


def test_an_unreachable_server_is_named(tmp_path: Path) -> None:
    with ScriptedServer([]) as server:
        url = server.url
    ended = run("write", "x", "--model", "ollama/m", "--set", f"providers.ollama.base_url={url}", cwd=tmp_path)
    assert ended.code == 3
    assert f"ollama/m did not answer at {url}" in ended.err
    assert "--model" in ended.err


def test_a_wrong_key_is_told_with_the_name_of_its_variable(tmp_path: Path) -> None:
    with ScriptedServer([Fail(401, "bad key")]) as server:
        ended = run(
            "write",
            "x",
            "--model",
            "openai/m",
            cwd=tmp_path,
            env={"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "sk-wrong-wrong-wrong-wrong"},
        )
    assert ended.code == 3
    assert "refused the request" in ended.err
    assert "OPENAI_API_KEY" in ended.err
    assert "sk-wrong" not in ended.err + run("runs", "show", "last", "--calls", cwd=tmp_path).out


def test_no_model_at_all_says_how_to_get_one_and_begins_no_run(tmp_path: Path) -> None:
    ended = run("write", "x", cwd=tmp_path)
    assert ended.code == 2
    assert "bottega models pull" in ended.err
    assert run("runs", cwd=tmp_path).out == "no runs yet\n"


def test_an_output_file_that_cannot_be_written_does_not_lose_the_code(tmp_path: Path) -> None:
    ended = run("write", "double", "--out", "no/such/dir.py", "--model", good_script(tmp_path), cwd=tmp_path)
    assert ended.code == 3
    assert ended.out == GOOD
    assert "standard output instead" in ended.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory_is_told(tmp_path: Path) -> None:
    model = good_script(tmp_path)
    tmp_path.chmod(0o500)
    try:
        ended = run("write", "double", "--model", model, cwd=tmp_path)
    finally:
        tmp_path.chmod(0o700)
    assert ended.code == 3
    assert "cannot be written" in ended.err


def test_a_damaged_journal_is_told_and_left_alone(tmp_path: Path) -> None:
    sealed(tmp_path / ".bottega")
    damaged = tmp_path / ".bottega" / "raw.sqlite"
    damaged.write_bytes(b"not a database at all" * 100)
    ended = run("write", "double", "--model", good_script(tmp_path), cwd=tmp_path)
    assert ended.code == 3
    assert "raw.sqlite is damaged" in ended.err
    assert damaged.read_bytes() == b"not a database at all" * 100


def test_a_wait_that_the_server_asks_for_is_told(tmp_path: Path) -> None:
    with ScriptedServer([Fail(429, retry_after=1), Say(GOOD)]) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "none-none"}
        ended = run("write", "///raw double", "--model", "openai/m", cwd=tmp_path, env=env)
    assert (ended.code, ended.out) == (0, GOOD)
    assert "over its rate limit; trying again in 1 s" in ended.err
