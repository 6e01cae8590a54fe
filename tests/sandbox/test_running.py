from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from bottega.errors import InputError, SandboxError
from bottega.sandbox import CommandResult, Limits, Sandbox

from .commands import SLEEP, is_gone, python, spawn


def test_a_command_runs_among_its_files_and_both_streams_are_kept(sandbox: Sandbox) -> None:
    code = "import sys; print(open('src/a.txt').read()); print('oops', file=sys.stderr)"
    ran = sandbox.run(python(code), files={"src/a.txt": "héllo"})
    assert ran.ok
    assert (ran.code, ran.stdout, ran.stderr) == (0, "héllo\n", "oops\n")
    assert not ran.timed_out
    assert not ran.truncated
    assert 0 < ran.seconds < 10


def test_a_failing_command_is_an_answer_and_not_an_error(sandbox: Sandbox) -> None:
    ran = sandbox.run(python("raise SystemExit(3)"), files={})
    assert not ran.ok
    assert str(ran).startswith("exit 3 after")


def test_death_by_signal_is_told_as_a_shell_tells_it(sandbox: Sandbox) -> None:
    assert sandbox.run(["sh", "-c", "kill -TERM $$"], files={}).code == 128 + 15


def test_standard_input_arrives_and_may_be_long_and_unread(sandbox: Sandbox) -> None:
    assert sandbox.run(python("print(input()[::-1])"), files={}, stdin="abc\n").stdout == "cba\n"
    assert sandbox.run(python("print('done')"), files={}, stdin="x" * 1_000_000).stdout == "done\n"


def test_output_that_is_not_text_is_still_readable(sandbox: Sandbox) -> None:
    ran = sandbox.run(python(r"import sys; sys.stdout.buffer.write(b'a\xffb')"), files={})
    assert ran.stdout == "a\N{REPLACEMENT CHARACTER}b"


def test_signals_that_python_ignores_work_again(sandbox: Sandbox) -> None:
    ran = sandbox.run(["sh", "-c", "yes | head -n 1"], files={})
    assert (ran.stdout, ran.stderr) == ("y\n", "")


@pytest.mark.parametrize("program", ["no-such-program", "./missing", "notes.txt"])
def test_a_command_that_cannot_be_started_is_named(sandbox: Sandbox, program: str) -> None:
    with pytest.raises(SandboxError, match=program):
        sandbox.run([program, "--version"], files={"notes.txt": "not a program"})


@pytest.mark.parametrize("command", [[], [""], ["echo", "a\0b"]])
def test_a_command_that_cannot_be_said_is_refused(sandbox: Sandbox, command: list[str]) -> None:
    with pytest.raises(InputError):
        sandbox.run(command, files={})


def test_the_environment_is_clean(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    ran = sandbox.run(["env"], files={})
    names = {line.partition("=")[0] for line in ran.stdout.splitlines()}
    assert names - {"PWD"} == {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONDONTWRITEBYTECODE"}
    assert "sk-secret" not in ran.stdout


def test_what_a_command_leaves_running_ends_with_it(sandbox: Sandbox) -> None:
    mark = uuid4().hex
    ran = sandbox.run(python(spawn(leave_the_session=False), mark), files={})
    assert ran.ok
    assert ran.seconds < 5
    assert is_gone(mark)


@pytest.mark.skipif(sys.platform != "linux", reason="without /proc a process that left its session is not found")
def test_leaving_the_session_is_no_way_out(sandbox: Sandbox) -> None:
    mark = uuid4().hex
    assert sandbox.run(python(spawn(leave_the_session=True), mark), files={}).stdout == "spawned\n"
    assert is_gone(mark)


def test_nothing_is_left_on_the_disk(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sandbox.run(python("open('new', 'w')"), files={"a/b": "c"})
    sandbox.run(python(SLEEP), files={"a": "b"}, limits=Limits(seconds=0.3))
    with pytest.raises(SandboxError):
        sandbox.run(["no-such-program"], files={})
    with pytest.raises(InputError):
        sandbox.run(["true"], files={"a": "", "a/b": ""})
    assert not list(tmp_path.iterdir())


def test_eight_threads_use_one_sandbox(sandbox: Sandbox) -> None:
    def echo(number: int) -> CommandResult:
        return sandbox.run(["cat", "number", "-"], files={"number": f"{number} "}, stdin=str(number))

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(echo, range(24)))
    assert [ran.stdout for ran in answers] == [f"{number} {number}" for number in range(24)]
