"""Ollama cuts a prompt that does not fit its window without a word; the provider says the word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bottega.errors import PromptTruncated
from bottega.models import ModelConfig, Request
from bottega.testing import Answer, CutPrompt, Received, Say, ScriptedServer, ServedModel
from bottega.testing.loopback import Loopback
from bottega.testing.server import OLLAMA
from bottega.testing.wire import refuse

from .doubles import PATIENT, config_for, opened, talking

LONG = "All of these words have to be read before the answer is given. " * 200
WIDE = replace(PATIENT, context_window=8192)


def server_with_window(window: int, name: str = "m") -> ScriptedServer:
    return ScriptedServer([Say("done")], models=[ServedModel(name, context_length=window)])


def test_a_token_count_far_below_the_prompt_is_a_cut_prompt() -> None:
    server = ScriptedServer([CutPrompt("done", read=400)])
    with talking("ollama", server) as model, pytest.raises(PromptTruncated) as caught:
        model.complete(Request.of(LONG))
    assert "read 400 tokens" in str(caught.value)
    assert "context_window" in caught.value.hint


def test_an_openai_server_that_cuts_is_found_out_the_same_way() -> None:
    with talking("openai", ScriptedServer([CutPrompt("done", read=400)])) as model, pytest.raises(PromptTruncated):
        model.complete(Request.of(LONG))


def test_a_count_that_a_compact_tokenizer_could_reach_is_believed() -> None:
    with talking("ollama", ScriptedServer([CutPrompt("done", read=len(LONG) // 6)])) as model:
        assert model.complete(Request.of(LONG)).text == "done"


def test_blank_lines_and_short_prompts_prove_nothing() -> None:
    for prompt in ("short", "\n" * 20_000):
        with talking("ollama", ScriptedServer([CutPrompt("done", read=3)])) as model:
            assert model.complete(Request.of(prompt)).text == "done"


def test_a_model_loaded_with_a_smaller_window_is_not_trusted_with_a_prompt_over_it() -> None:
    with talking("ollama", server_with_window(2048), WIDE) as model, pytest.raises(PromptTruncated):
        model.complete(Request.of(LONG))


def test_a_prompt_that_fits_the_smaller_window_is_answered() -> None:
    with talking("ollama", server_with_window(2048), WIDE) as model:
        assert model.complete(Request.of("short")).text == "done"


def test_the_loaded_window_is_found_under_the_tag_that_was_left_out() -> None:
    with talking("ollama", server_with_window(2048, "m:latest"), WIDE) as model, pytest.raises(PromptTruncated):
        model.complete(Request.of(LONG))


def test_the_window_of_another_model_does_not_matter() -> None:
    models = [ServedModel("m"), ServedModel("small", context_length=512)]
    server = ScriptedServer([Say("done")], repeat_last=True, models=models)
    with talking("ollama", server, WIDE) as model, opened(config_for("ollama", server.url, small())) as other:
        other.complete(Request.of("hi"))
        assert model.complete(Request.of(LONG)).text == "done"


def test_a_server_that_does_not_tell_its_window_still_gets_its_reply_through() -> None:
    with secretive_server() as url, opened(config_for("ollama", url)) as model:
        assert model.complete(Request.of("hello")).text == "done"


def small() -> ModelConfig:
    return replace(PATIENT, model="small", context_window=512)


@contextmanager
def secretive_server() -> Iterator[str]:
    """A server that imitates Ollama and has no /api/ps."""

    def answer(ask: Received) -> Answer:
        if ask.path == "/api/ps":
            return refuse(OLLAMA, 404, "page not found")
        return Say("done").answer(ask, OLLAMA)

    loopback = Loopback(answer)
    loopback.start()
    try:
        yield f"http://127.0.0.1:{loopback.server_port}"
    finally:
        loopback.stop()
