"""The embedded model, as far as it goes without weights."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bottega.errors import InputError, ModelFault, ModelMissing, ModelTimeout
from bottega.models import Model, ModelConfig, Reply, Request, Usage
from bottega.models.providers.embedded import Embedded
from bottega.models.providers.threads import SpeedWatch, threads_by_load

from .doubles import opened

CODER = ModelConfig("qwen2.5-coder-1.5b", "embedded", context_window=512, max_tokens=16)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of weights with nothing in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def workers() -> list[str]:
    """The worker processes of this one, living or dead; other tests have children of their own."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    )
    return [line for line in listed.stdout.splitlines() if "embedded_worker" in line or "<defunct>" in line]


def test_weights_that_are_not_here_are_missing_and_the_hint_fetches_them() -> None:
    with opened(CODER) as model, pytest.raises(ModelMissing) as caught:
        model.complete(Request.of("hello"))
    assert "qwen2.5-coder-1.5b" in str(caught.value)
    assert "`bottega models pull qwen2.5-coder-1.5b`" in caught.value.hint
    assert not workers()


def test_an_alias_is_pulled_by_its_proper_name() -> None:
    with opened(replace(CODER, model="0.5b")) as model, pytest.raises(ModelMissing) as caught:
        model.complete(Request.of("hello"))
    assert "bottega models pull qwen2.5-coder-0.5b" in caught.value.hint


def test_half_a_download_is_not_a_model(cache: Path) -> None:
    folder = cache / "bottega" / "models"
    folder.mkdir(parents=True)
    (folder / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf").write_bytes(b"GGUF")
    with opened(CODER) as model, pytest.raises(ModelMissing):
        model.complete(Request.of("hello"))


def test_a_name_that_nobody_knows_is_a_slip_of_the_pen() -> None:
    with opened(replace(CODER, model="qwen2.5-codr-1.5b")) as model, pytest.raises(InputError) as caught:
        model.complete(Request.of("hello"))
    assert "Did you mean qwen2.5-coder-1.5b" in caught.value.hint


def test_a_path_where_there_is_no_file_is_missing(tmp_path: Path) -> None:
    config = replace(CODER, model=str(tmp_path / "nowhere.gguf"))
    with opened(config) as model, pytest.raises(ModelMissing, match=r"nowhere\.gguf"):
        model.complete(Request.of("hello"))


@pytest.mark.parametrize("content", [b"these are not weights", b"GGUF\x03\0\0\0" + bytes(64), b""], ids=len)
def test_a_file_that_is_no_model_is_a_fault_that_leaves_no_process_behind(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with opened(replace(CODER, model=str(path))) as model:
        with pytest.raises(ModelFault) as caught:
            model.complete(Request.of("hello"))
        assert not workers()
    assert not caught.value.passing
    assert caught.value.model == f"embedded/{path}"


def test_a_worker_that_is_not_ready_in_time_is_a_timeout_that_leaves_no_process_behind(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "x.gguf"
    path.write_bytes(b"these are not weights")
    with opened(replace(CODER, model=str(path), timeout=0.005)) as model:
        with pytest.raises(ModelTimeout):
            model.complete(Request.of("hello"))
        assert not workers()


def test_what_is_known_without_loading_is_told_without_loading() -> None:
    model: Model = Embedded(CODER, {})
    assert isinstance(model, Embedded)
    assert model.name == "embedded/qwen2.5-coder-1.5b"
    assert model.context_length() == 32_768
    assert model.available() == []
    model.close()


def test_a_busy_machine_lends_at_least_one_thread_and_an_idle_one_no_more_than_it_has() -> None:
    assert 1 <= threads_by_load() <= (os.cpu_count() or 1)


def test_a_speed_that_collapses_is_noticed() -> None:
    def reply(tokens: int, milliseconds: int) -> Reply:
        return Reply("", usage=Usage(1, tokens), latency_ms=milliseconds)

    watch = SpeedWatch()
    assert not watch.has_collapsed(reply(100, 1000), threads=2)
    assert not watch.has_collapsed(reply(100, 2000), threads=2)
    assert not watch.has_collapsed(reply(5, 10_000), threads=2), "too short to tell"
    assert not watch.has_collapsed(reply(100, 10_000), threads=1), "there is nothing to give up"
    assert watch.has_collapsed(reply(100, 10_000), threads=2)
