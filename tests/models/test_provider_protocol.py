"""The optional protocols of a provider: what they mean, and that the documentation lists them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.models import (
    Model,
    ModelConfig,
    OnText,
    ProviderDefaults,
    Reply,
    Request,
    can_call_tools,
    close_model,
    list_models,
    open_model,
    provider,
    read_context_length,
)
from bottega.settings import BUILT_IN

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


class Bare:
    """A model with what is required and nothing else."""

    name = "bare/m"

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        return Reply("well")


def test_a_model_without_optional_methods_has_an_answer_to_every_question() -> None:
    model: Model = Bare()
    assert list_models(model) is None
    assert read_context_length(model) is None
    assert not can_call_tools(model)
    close_model(model)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_provider_of_ours_opens_without_network_or_weights(name: str, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- hello\n", encoding="utf-8")
    model = open_model(ModelConfig(str(script), name, base_url=BUILT_IN[name].base_url), {})
    assert model.name == f"{name}/{script}"
    close_model(model)


@pytest.mark.parametrize(
    ("kind", "url", "expected"),
    [
        ("anthropic", "https://api.anthropic.com", True),
        ("openai", "https://api.openai.com/v1", True),
        ("openai", "http://127.0.0.1:1/v1", False),
        ("embedded", "", False),
    ],
)
def test_tools_are_used_where_they_are_known_to_work(kind: str, url: str, expected: bool) -> None:
    model = open_model(ModelConfig("m", kind, base_url=url), {})
    assert can_call_tools(model) is expected
    close_model(model)


def test_the_page_lists_every_member_and_every_default() -> None:
    page = PAGE.read_text(encoding="utf-8")
    protocols = (provider.ListsModels, provider.HasContextLength, provider.CallsTools, provider.Closable)
    methods = [name for protocol in protocols for name in vars(protocol) if not name.startswith("_")]
    assert len(methods) == 4
    for method in methods:
        assert f"| `{method}()` | optional |" in page
    for field in ProviderDefaults.__dataclass_fields__:
        assert f"| `{field}` |" in page
