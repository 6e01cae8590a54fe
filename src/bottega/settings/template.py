"""Settings as text: the commented template that `bottega init` writes, and the reference page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bottega.settings.model_settings import ModelChoice, Provider
from bottega.settings.policies import WORDS, policy_of
from bottega.settings.schema import Price, Settings
from bottega.settings.variables import section_of

_SHOWN = ("models", "limits", "write", "sandbox")


def template(models: Mapping[str, str], *, found: str) -> str:
    """A short bottega.toml: the chosen models, and the settings people change first as comments."""
    lines = [
        "# Settings of bottega for this repository. Every key: `bottega docs settings` or `bottega config show`.",
        f"# {' '.join(found.split())}",
        "",
        "[models]",
    ]
    lines += [f"{role} = {_render_literal(model)}" for role, model in models.items()]
    lines += _render_commented("models", skip=set(models))
    for name in _SHOWN[1:]:
        lines += ["", f"[{name}]", *_render_commented(name)]
    return "\n".join(lines) + "\n"


def _render_commented(at: str, skip: set[str] = frozenset()) -> Iterator[str]:  # type: ignore[assignment]  # an empty default
    section = section_of(Settings.model_fields[at].annotation)
    assert section is not None
    for name, inner in section.model_fields.items():
        if name not in skip and policy_of((at, name)) != "yours" and name != "overrides":
            yield f"# {name} = {_render_toml(inner)}  # {inner.description}"


def reference() -> str:
    """The text of docs/settings.md."""
    parts = [_INTRODUCTION]
    for name, field in Settings.model_fields.items():
        section = section_of(field.annotation)
        if section is not None:
            parts.append(_render_section(f"[{name}]", section, (name,)))
    parts.append(_render_section("[models.ROLE]", ModelChoice, ("models", "ROLE")))
    parts.append(_render_section("[providers.NAME]", Provider, ("providers", "NAME")))
    parts.append(_render_section('[prices."provider/model"]', Price, ("prices", "provider/model")))
    return "\n".join(parts)


_INTRODUCTION = """# Settings

*Made from the schema in `src/bottega/settings/schema.py` by `python -m bottega.settings`; a test refuses drift.*

Sources, later ones winning: `~/.config/bottega/config.toml`, then `bottega.toml` in the repository (or `[tool.bottega]`
in `pyproject.toml`), then variables (`BOTTEGA_` and the path of the setting in capitals, such as
`BOTTEGA_WRITE_LANGUAGE`; also `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` and
`OLLAMA_HOST`), then flags (`--model`, `--set KEY=VALUE`). Unknown keys and impossible values are refused with file,
line and a suggestion. Keys are never written to any file: name the variable that holds one with `api_key_env`.

A repository may come from anyone, so its file may only narrow your settings: the column "repository" says which of its
values are applied without your trust. The rest is ignored with a message until you trust the repository's settings with
[`bottega trust`](trust.md), which covers exactly what you were shown. Settings marked **yours** cannot be set by a
repository at all, nor can it replace a model by a script or redirect a server that receives a key of yours.
"""


def _render_section(title: str, section: type[BaseModel], at: tuple[str, ...]) -> str:
    rows = [
        f"\n## {title}\n",
        (section.__doc__ or "").strip() + "\n",
        "| key | type | default | what it does | repository |",
        "|---|---|---|---|---|",
    ]
    for name, field in section.model_fields.items():
        policy = policy_of((*at, name)) or "free"
        description = f"{field.description}{' **yours**' if policy == 'yours' else ''}"
        rows.append(
            f"| `{name}` | {_render_type(field)} | {_render_default(field)} | {description} | {WORDS[policy]} |"
        )
    return "\n".join(rows) + "\n"


def _render_default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return "–" if value is None or value == {} or value == () else f"`{_render_literal(value)}`"


def _render_toml(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    return '"provider/model"' if value is None else _render_literal(value)


def _render_literal(value: Any) -> str:
    """JSON that is TOML as well, which knows no surrogate pairs."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def _render_type(field: FieldInfo) -> str:
    text = str(field.annotation)
    for name, shown in (("ModelChoice", "model id or table"), ("Literal", "name"), ("tuple", "list of text")):
        if name in text:
            return shown
    for kind, shown in (("bool", "yes/no"), ("int", "whole number"), ("float", "number")):
        if kind in text:
            return shown
    return "text"
