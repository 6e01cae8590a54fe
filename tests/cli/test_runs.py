"""A run in one terminal is watched and cancelled from another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bottega.testing import Hang, Say, ScriptedServer
from tests.cli.bottega import GOOD, SURE, refused, run, script


def environ(root: Path, url: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(root / "home"),
        "LANG": "C.UTF-8",
        "BOTTEGA_INDEX_VECTORS": "manual",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "k",
    }


@contextmanager
def writing(root: Path, server: ScriptedServer) -> Iterator[subprocess.Popen[bytes]]:
    """A `bottega write` in another process, as soon as it waits for its model."""
    command = [sys.executable, "-m", "bottega", "write", "double", "--model", "openai/m"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=root, env=environ(root, server.url), stdout=pipe, stderr=pipe) as process:
        try:
            while not server.asked:
                assert process.poll() is None
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def test_a_run_is_cancelled_from_another_terminal_and_resumed(tmp_path: Path) -> None:
    with ScriptedServer([Hang(), Say(GOOD), Say(SURE)]) as server, writing(tmp_path, server) as process:
        done = run("runs", "cancel", "last", cwd=tmp_path)
        assert done.code == 0
        assert "is being cancelled" in done.out
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        listed = json.loads(run("runs", "--status", "cancelled", "--format", "json", cwd=tmp_path).out)["runs"]
        assert [entry["status"] for entry in listed] == ["cancelled"]
        assert f"`bottega resume {listed[0]['id']}` goes on".encode() in err
        env = {key: environ(tmp_path, server.url)[key] for key in ("OPENAI_BASE_URL", "OPENAI_API_KEY")}
        assert run("resume", "last", "--model", "openai/m", cwd=tmp_path, env=env).out == GOOD


def test_a_run_is_watched_from_another_terminal_until_it_ends(tmp_path: Path) -> None:
    with ScriptedServer([Say(GOOD, delay=1.5), Say(SURE)]) as server, writing(tmp_path, server) as process:
        watched = run("runs", "watch", "last", "--format", "json", cwd=tmp_path)
        assert process.wait(30) == 0
    events = [json.loads(line) for line in watched.out.splitlines()]
    assert watched.code == 0
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[-1]["kind"], events[-1]["text"]) == ("ended", "done")
    assert {event["run"] for event in events} == {events[0]["run"]}


def test_events_of_a_finished_run_are_told_from_any_number_on(tmp_path: Path) -> None:
    model = script(tmp_path, {"write.coder": [GOOD], "write.judge": [SURE]})
    assert run("write", "double", "--model", model, cwd=tmp_path).code == 0
    whole = run("runs", "watch", cwd=tmp_path).out.splitlines()
    assert run("runs", "watch", "last", "--after", "3", cwd=tmp_path).out.splitlines() == whole[3:]


@pytest.mark.parametrize("verb", ["watch", "cancel"])
def test_a_run_that_there_is_not_is_refused(tmp_path: Path, verb: str) -> None:
    refused(run("runs", verb, "deadbeef", cwd=tmp_path), "there is no run deadbeef")


def test_a_run_that_is_over_cannot_be_cancelled(tmp_path: Path) -> None:
    model = script(tmp_path, {"write.coder": [GOOD], "write.judge": [SURE]})
    run("write", "double", "--model", model, cwd=tmp_path)
    refused(run("runs", "cancel", "last", cwd=tmp_path), "is done")
