"""The embedded model with its weights, on this machine."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from bottega.models import Model, ModelConfig, Request, SchemaContract
from bottega.models.weights import find, installed

from .doubles import opened

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]

NAME = "qwen2.5-coder-1.5b"
CODER = ModelConfig(NAME, "embedded", context_window=1024, max_tokens=32, timeout=300)
HOST = f"""
from bottega.models import ModelConfig, Request, open_model
model = open_model(ModelConfig({NAME!r}, "embedded", context_window=512, max_tokens=4))
model.complete(Request.of("Say yes."))
print("ready", flush=True)
input()
"""


class Choice(BaseModel):
    stone: Literal["zq-agate", "zq-basalt"]


@pytest.fixture(scope="module")
def coder() -> Iterator[Model]:
    if installed(find(NAME)) is None:
        pytest.skip(f"bottega models pull {NAME}")
    with opened(CODER) as model:
        yield model


def test_it_answers(coder: Model) -> None:
    heard: list[str] = []
    reply = coder.complete(Request.of("Write only the number that follows 41.", max_tokens=8), heard.append)
    assert "42" in reply.text
    assert "".join(heard) == reply.text
    assert reply.model == f"embedded/{NAME}"
    assert reply.usage.prompt_tokens
    assert reply.usage.completion_tokens


def test_it_stops_at_the_limit_it_is_given(coder: Model) -> None:
    reply = coder.complete(Request.of("Count from one to fifty.", max_tokens=5))
    assert (reply.finish, reply.usage.completion_tokens) == ("length", 5)


def test_it_honours_a_schema_that_no_model_would_follow_by_chance(coder: Model) -> None:
    contract = SchemaContract(Choice)
    reply = coder.complete(Request.of("Name a stone as JSON.", schema=contract.schema))
    assert contract.parse(reply).stone.startswith("zq-")


def test_the_same_seed_and_prompt_give_the_same_reply(coder: Model) -> None:
    request = Request.of("Write a line of Python.", seed=1, temperature=0.0, max_tokens=12)
    assert coder.complete(request).text == coder.complete(request).text


def test_the_worker_dies_with_a_parent_that_is_killed(coder: Model) -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert host.stdin is not None
    assert host.stdout is not None
    with host.stdin, host.stdout:
        assert host.stdout.readline() == b"ready\n"
        (worker,) = (os.pidfd_open(pid) for pid in children_of(host.pid))
        os.kill(host.pid, signal.SIGKILL)
        host.wait()
    ended, _, _ = select.select([worker], [], [], 30)
    os.close(worker)
    assert ended, "the worker outlived its parent"


def children_of(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
