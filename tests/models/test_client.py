"""The simple form: one prompt in, one text out."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.errors import InputError, ModelFault, ModelUnreachable
from bottega.models import LLMClient, LLMResponse, ModelConfig
from bottega.testing import Say, ScriptedServer

from .doubles import config_for


def script(tmp_path: Path, text: str) -> ModelConfig:
    path = tmp_path / "script.yaml"
    path.write_text(text, encoding="utf-8")
    return ModelConfig(str(path), "scripted")


def test_a_prompt_is_answered(wire: str) -> None:
    said = Say("four", thinking="hm", prompt_tokens=9, completion_tokens=1)
    with ScriptedServer([said]) as server, LLMClient(config_for(wire, server.url)) as client:
        response = client.complete("2 + 2?", "Be brief.")
    assert response == LLMResponse("four", "hm", 9, 1, response.latency_ms)
    assert "Be brief." in server.asked[0].prompt


def test_the_system_prompt_may_be_left_out() -> None:
    with ScriptedServer([Say("four")]) as server, LLMClient(config_for("openai", server.url)) as client:
        client.complete("2 + 2?")
    assert server.asked[0].prompt == "2 + 2?"


def test_failures_are_the_models_own() -> None:
    with ScriptedServer([]) as server:
        pass
    with LLMClient(config_for("openai", server.url)) as client, pytest.raises(ModelUnreachable):
        client.complete("2 + 2?")


def test_a_script_in_a_file_can_be_played(tmp_path: Path) -> None:
    client = LLMClient(script(tmp_path, "- one\n- <think>hm</think>two\n"))
    assert [client.complete("?").text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ModelFault, match="no line left"):
        client.complete("?")
    client.close()


def test_a_script_by_stages_refuses_a_stage_it_has_no_part_for(tmp_path: Path) -> None:
    client = LLMClient(script(tmp_path, "write.code:\n- one\n"))
    with pytest.raises(ModelFault, match="no part for the stage"):
        client.complete("?")


@pytest.mark.parametrize("text", ["just words", "{", "7"])
def test_a_file_that_is_no_script_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        LLMClient(script(tmp_path, text))
