"""What can serve here when nothing is configured."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bench.wire_attack.server import RawReply, RawServer

from bottega.models.detect import DetectedModel, detect
from bottega.settings import Settings
from bottega.testing import Garbage, ScriptedServer, ServedModel


@pytest.fixture(autouse=True)
def _no_weights_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def settings(**urls: str) -> Settings:
    return Settings.model_validate({"providers": {name: {"base_url": url} for name, url in urls.items()}})


def found_at(server: ScriptedServer, kind: str = "ollama", path: str = "") -> list[DetectedModel]:
    return [found for found in detect(settings(**{kind: server.url + path}), {}) if server.url in found.where]


def test_an_ollama_is_found_with_the_number_of_its_models() -> None:
    with ScriptedServer([], models=[ServedModel("llama3:8b"), ServedModel("mistral:7b")]) as server:
        assert detect(settings(ollama=server.url), {})[0] == DetectedModel(
            "ollama/llama3:8b", f"Ollama at {server.url} (2 models)"
        )


def test_a_model_made_for_code_is_preferred_and_one_that_cannot_write_is_not_taken() -> None:
    names = ["llama3:8b", "nomic-embed-text", "qwen2.5-coder:7b", "aya:8b"]
    with ScriptedServer([], models=[ServedModel(name) for name in names]) as server:
        assert [found.model for found in found_at(server)] == ["ollama/qwen2.5-coder:7b"]


def test_a_server_with_nothing_but_embeddings_cannot_serve() -> None:
    with ScriptedServer([], models=[ServedModel("nomic-embed-text")]) as server:
        assert found_at(server) == []


def test_an_openai_server_of_the_settings_is_found_under_its_name() -> None:
    with ScriptedServer([], models=[ServedModel("local")]) as server:
        (found,) = found_at(server, "openai", "/v1")
    assert (found.model, found.provider, found.base_url) == ("openai/local", "", "")


@pytest.mark.parametrize("models", [[], None])
def test_a_server_without_models_is_not_found(models: list[ServedModel] | None) -> None:
    with ScriptedServer([Garbage(b"<html>")], models=models) as server:
        assert found_at(server) == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://localhost:1/deep/path"])
def test_an_address_where_nothing_answers_finds_nothing(url: str) -> None:
    assert [found for found in detect(settings(ollama=url), {}) if found.model.startswith("ollama/")] == []


def test_keys_of_hosted_models_come_last() -> None:
    with ScriptedServer([], models=[ServedModel("m")]) as server:
        found = detect(settings(ollama=server.url), {"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "y"})
    assert found[0].model == "ollama/m"
    assert [one.where for one in found[-2:]] == ["ANTHROPIC_API_KEY is set", "OPENAI_API_KEY is set"]


def test_a_key_that_is_set_to_nothing_is_no_key() -> None:
    assert not [
        one for one in detect(settings(ollama="http://127.0.0.1:9"), {"OPENAI_API_KEY": ""}) if "set" in one.where
    ]


@pytest.mark.parametrize(
    "reply",
    [
        RawReply((b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), pace=0.05, is_endless=True),
        RawReply((b"HTTP/1.1 200 OK\r\n\r\n", b" "), pace=0.05, is_endless=True),
        RawReply((b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_000), is_endless=True),
        RawReply((b"",), is_held=True),
    ],
    ids=["headers", "spaces", "flood", "silence"],
)
def test_a_hostile_port_neither_hangs_nor_fills_the_search(reply: RawReply) -> None:
    with RawServer() as server:
        server.reply = reply
        started = time.monotonic()
        found = detect(settings(ollama=server.url, openai=f"{server.url}/v1"), {})
    assert [entry for entry in found if server.url in entry.where] == []
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\nb", "x" * 5000, "\u202eabc"])
def test_a_name_that_cannot_be_shown_or_written_down_is_not_taken(name: str) -> None:
    with ScriptedServer([], models=[ServedModel(name), ServedModel("zephyr")]) as server:
        assert [entry.model for entry in found_at(server)] == ["ollama/zephyr"]


@pytest.mark.parametrize("body", [b'{"models": 7}', b'{"models": [7]}', b'{"models": [{"name": 7}]}', b"[" * 100_000])
def test_a_listing_of_the_wrong_types_finds_nothing(body: bytes) -> None:
    with RawServer() as server:
        server.reply = RawReply((b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body,))
        assert [entry for entry in detect(settings(ollama=server.url), {}) if server.url in entry.where] == []
