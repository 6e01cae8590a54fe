"""A model that has lost its way is stopped, and told so in the repair turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.models import ModelConfig, Request, open_model
from bottega.models.providers.loop_detection import LoopDetector
from bottega.testing import Loop, ScriptedServer


@pytest.mark.parametrize(("provider", "path"), [("openai", "/v1"), ("ollama", "")])
def test_an_endless_repetition_is_cut_short(provider: str, path: str) -> None:
    with ScriptedServer([Loop("again and ", 20_000)]) as server:
        model = open_model(ModelConfig("m", provider, base_url=server.url + path, max_tokens=50_000))
        try:
            reply = model.complete(Request.of("go on"))
        finally:
            model.close()  # type: ignore[attr-defined]  # every provider of ours has one
    assert reply.finish == "loop"
    assert len(reply.text) < 20_000


def test_ordinary_code_with_repeated_lines_is_no_loop() -> None:
    watch = LoopDetector()
    rows = [f"    ({number}, {number * 7 % 13}),\n" for number in range(400)]
    assert not any(watch.is_looping(row) for row in rows)


@given(st.text(min_size=1, max_size=100))
def test_whatever_is_repeated_long_enough_is_noticed(piece: str) -> None:
    watch = LoopDetector()
    assert any(watch.is_looping(piece) for _ in range(4000 // len(piece) + 10))


def test_this_very_file_is_no_loop() -> None:
    watch = LoopDetector()
    assert not any(watch.is_looping(line) for line in Path(__file__).read_text().splitlines(keepends=True))
