"""Settings as text: the commented template that `bottega init` writes, and the reference page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bottega.settings.schema import ModelChoice, Price, Provider, Settings
from bottega.settings.variables import section_of

_SHOWN = ("models", "limits", "write", "sandbox")


def template(models: Mapping[str, str], *, found: str) -> str:
    """A short bottega.toml: the chosen models, and the settings people change first as comments."""
    lines = [
        "# Settings of bottega for this repository. Every key: docs/settings.md or `bottega config show`.",
        f"# {' '.join(found.split())}",
        "",
        "[models]",
    ]
    lines += [f"{role} = {_literal(model)}" for role, model in models.items()]
    lines += _commented(Settings.model_fields["models"], skip=set(models))
    for name in _SHOWN[1:]:
        lines += ["", f"[{name}]", *_commented(Settings.model_fields[name])]
    return "\n".join(lines) + "\n"


def _commented(field: FieldInfo, skip: set[str] = frozenset()) -> Iterator[str]:  # type: ignore[assignment]  # an empty default
    section = section_of(field.annotation)
    assert section is not None
    for name, inner in section.model_fields.items():
        if name not in skip and not _is_person_only(inner) and name != "overrides":
            yield f"# {name} = {_toml(inner)}  # {inner.description}"


def reference() -> str:
    """docs/settings.md, made from the schema."""
    parts = [_INTRODUCTION]
    for name, field in Settings.model_fields.items():
        section = section_of(field.annotation)
        if section is not None:
            parts.append(_section(f"[{name}]", section))
    parts.append(_section("[models.ROLE]", ModelChoice))
    parts.append(_section("[providers.NAME]", Provider))
    parts.append(_section('[prices."provider/model"]', Price))
    return "\n".join(parts)


_INTRODUCTION = """# Settings

*Made from the schema in `src/bottega/settings/schema.py` by `python -m bottega.settings`; a test refuses drift.*

Sources, later ones winning: `~/.config/bottega/config.toml`, then `bottega.toml` in the repository (or `[tool.bottega]`
in `pyproject.toml`), then variables (`BOTTEGA_` and the path of the setting in capitals, such as
`BOTTEGA_WRITE_LANGUAGE`; also `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` and
`OLLAMA_HOST`), then flags (`--model`, `--set KEY=VALUE`). Unknown keys and impossible values are refused with file,
line and a suggestion. Keys are never written to any file: name the variable that holds one with `api_key_env`.

Settings marked **yours** cannot be set by a file inside a repository, and a repository file may name model servers on
this machine only, unless `trust.urls` in your own file lists them: a cloned repository does not get to send your code
or your keys elsewhere, or to loosen the sandbox.
"""


def _section(title: str, section: type[BaseModel]) -> str:
    rows = [
        f"\n## {title}\n",
        (section.__doc__ or "").strip() + "\n",
        "| key | type | default | what it does |",
        "|---|---|---|---|",
    ]
    for name, field in section.model_fields.items():
        mark = " **yours**" if _is_person_only(field) else ""
        rows.append(f"| `{name}` | {_type(field)} | {_default(field)} | {field.description}{mark} |")
    return "\n".join(rows) + "\n"


def _is_person_only(field: FieldInfo) -> bool:
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get("person_only"))


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return "–" if value is None or value == {} or value == () else f"`{_literal(value)}`"


def _toml(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    return '"provider/model"' if value is None else _literal(value)


def _literal(value: Any) -> str:
    """JSON that is TOML as well, which knows no surrogate pairs."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def _type(field: FieldInfo) -> str:
    text = str(field.annotation)
    for name, shown in (("ModelChoice", "model id or table"), ("Literal", "name"), ("tuple", "list of text")):
        if name in text:
            return shown
    for kind, shown in (("bool", "yes/no"), ("int", "whole number"), ("float", "number")):
        if kind in text:
            return shown
    return "text"
