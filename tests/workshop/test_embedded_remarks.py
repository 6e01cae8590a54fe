"""After a run, the speed of an embedded model is told; larger models are pointed at once, where nobody chose it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bottega.models import Model, OnText, Reply, Request, Usage
from bottega.testing import ScriptedModel
from bottega.workshop import Opening, Workshop
from bottega.write import WriteRequest
from tests.cli.weights import place_weights

NAME = "embedded/qwen2.5-coder-1.5b"
CODE = "def double(n):\n    return 2 * n\n"


class EmbeddedDouble:
    """Writes the same function, 50 tokens in two seconds."""

    name = NAME

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        reply = ScriptedModel([CODE]).complete(request, on_text)
        return replace(reply, model=NAME, usage=Usage(150, 50), latency_ms=2000)


def write_twice(root: Path, cache: Path, model: str | None, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The remarks of two runs in one repository."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    double: Model = EmbeddedDouble()
    environ = {"HOME": str(root), "OLLAMA_HOST": "127.0.0.1:9"}
    remarks = []
    for _ in range(2):
        opening = Opening(root, assignments=("index.vectors=manual",), model=model, is_exact=True, environ=environ)
        with Workshop(opening, open_model=lambda config, environ: double) as workshop:
            handle = workshop.start(WriteRequest(text="///raw double"))
            remarks.append([event.text for event in handle.events() if event.kind == "remark" and not event.step])
            handle.result()
    return remarks


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    root = tmp_path / "repo"
    root.mkdir()
    place_weights(tmp_path / "cache")
    return root, tmp_path / "cache"


def test_speed_is_told_after_every_run_and_larger_models_once(
    place: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = write_twice(*place, None, monkeypatch)
    told = f"{NAME}: 200 tokens in 2.0 s (150 read, 50 written), 100 tokens/s"
    assert told in first
    assert told in second
    assert sum("models recommend" in remark for remark in first) == 1
    assert not any("models recommend" in remark for remark in second)


def test_who_chose_the_model_is_not_told_of_others(place: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = write_twice(*place, NAME, monkeypatch)
    assert any("100 tokens/s" in remark for remark in first)
    assert not any("models recommend" in remark for remark in first)
