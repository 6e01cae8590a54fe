"""Chosen variables, the network, files given back, and what a sandbox says of itself."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.sandbox import Bubblewrap, Limits, Rlimits, Sandbox

from .commands import python

CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=2); print('connected')"


def test_chosen_variables_are_added_to_the_base(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    ran = sandbox.run(["env"], files={}, environment={"CI": "true", "WORDS": "a b\nc=é", "LANG": "C"})
    assert "CI=true\n" in ran.stdout
    assert "WORDS=a b\nc=é\n" in ran.stdout
    assert "LANG=C\n" in ran.stdout
    assert "HOME=" in ran.stdout
    assert "sk-secret" not in ran.stdout


def test_a_chosen_path_finds_the_command(sandbox: Sandbox) -> None:
    files = {"bin/tool": "#!/bin/sh\necho found\n"}
    ran = sandbox.run(["sh", "-c", "chmod +x bin/tool; tool"], files=files, environment={"PATH": "bin:/usr/bin:/bin"})
    assert ran.stdout == "found\n"


@pytest.mark.parametrize("name", ["LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONPATH"])
def test_chosen_variables_reach_the_command_and_not_what_starts_it(sandbox: Sandbox, name: str) -> None:
    ran = sandbox.run(["/bin/sh", "-c", f'echo "${name}"'], files={}, environment={name: "/nowhere/odd.so"})
    assert ran.stdout == "/nowhere/odd.so\n"
    assert "cannot be preloaded" not in ran.stderr.partition("\n")[2], "only the command itself was given it"


@pytest.mark.parametrize("name", ["", "A=B", "1A", "A B", "HOME", "TMPDIR", "A\0"])
def test_variables_that_cannot_be_set_are_refused(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(InputError):
        sandbox.run(["true"], files={}, environment={name: "x"})


@pytest.mark.parametrize("value", ["a\0b", "x" * 200_000])
def test_values_that_cannot_be_passed_are_refused(sandbox: Sandbox, value: str) -> None:
    with pytest.raises(InputError):
        sandbox.run(["true"], files={}, environment={"A": value})


def test_the_network_is_there_when_asked_for(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ran = sandbox.run(python(CONNECT, str(listener.getsockname()[1])), files={}, network=True)
    assert ran.stdout == "connected\n", ran.stderr


def test_the_network_is_absent_where_the_sandbox_promises_it(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ran = sandbox.run(python(CONNECT, str(listener.getsockname()[1])), files={})
    assert ran.ok is not sandbox.promises.isolates_network


def test_with_the_network_files_stay_out_of_reach(bubblewrap: Bubblewrap) -> None:
    with tempfile.NamedTemporaryFile("w", dir=Path.home(), prefix=".bottega-test-") as secret:
        secret.write("sk-secret")
        secret.flush()
        ran = bubblewrap.run(["cat", secret.name], files={}, network=True)
    assert (ran.code, ran.stdout) == (1, "")


def test_files_are_given_back_by_pattern(sandbox: Sandbox) -> None:
    script = "mkdir -p out/deep; echo 1 > out/a.txt; echo 2 > out/deep/b.txt; echo 3 > out/c.log; printf '\\377' > raw"
    ran = sandbox.run(["sh", "-c", script], files={"given.txt": "g"}, give_back=["out/**/*.txt", "raw", "missing"])
    assert ran.files == {"out/a.txt": b"1\n", "out/deep/b.txt": b"2\n", "raw": b"\xff"}
    assert ran.left_out == ()


def test_files_of_a_command_that_failed_or_timed_out_are_given_back(sandbox: Sandbox) -> None:
    failed = sandbox.run(["sh", "-c", "echo 1 > f; exit 1"], files={}, give_back=["f"])
    assert failed.files == {"f": b"1\n"}
    slow = sandbox.run(["sh", "-c", "echo 1 > f; sleep 9"], files={}, give_back=["f"], limits=Limits(seconds=0.5))
    assert slow.files == {"f": b"1\n"}


def test_files_beyond_the_bound_are_named(sandbox: Sandbox) -> None:
    script = "head -c 700000 /dev/zero > a; head -c 700000 /dev/zero > b; echo 1 > c"
    ran = sandbox.run(["sh", "-c", script], files={}, give_back=["*"], limits=Limits(given_back_mb=1))
    assert set(ran.files) == {"a", "c"}
    assert ran.left_out == ("b",)


def test_no_link_is_followed_to_give_a_file_back(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("sk-secret")
    script = f"ln -s {tmp_path}/secret f; ln -s {tmp_path} d; ln -s /etc/passwd p; ln -s / r"
    ran = sandbox.run(["sh", "-c", script], files={}, give_back=["**", "d/secret", "r/etc/passwd"])
    assert ran.files == {}
    assert set(ran.left_out) == {"f", "d", "p", "r"}


@pytest.mark.parametrize("pattern", ["../x", "/etc/passwd", "a/../../x", "", "x" * 600])
def test_patterns_that_leave_the_directory_are_refused(sandbox: Sandbox, pattern: str) -> None:
    with pytest.raises(InputError, match="Pattern"):
        sandbox.run(["true"], files={}, give_back=[pattern])


def test_patterns_take_bounded_time(sandbox: Sandbox) -> None:
    code = "import os; os.makedirs('/'.join(['a'] * 90)); open('/'.join(['a'] * 90) + '/f', 'w')"
    ran = sandbox.run(python(code), files={}, give_back=["**/a/" * 60 + "b", "*a" * 200])
    assert ran.files == {}


def test_a_sandbox_says_what_it_holds(bubblewrap: Bubblewrap) -> None:
    assert str(bubblewrap.promises) == "holds everything"
    held = Rlimits().promises
    assert not held.isolates_files
    assert str(held).startswith("does not hold: isolates files, isolates network")
