"""Explain an invalid setting: its file and line, what is expected, and a suggestion."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from bottega.errors import SettingsError
from bottega.settings.layers import KeyPath, Layer
from bottega.settings.model_settings import ModelChoice
from bottega.settings.schema import Settings
from bottega.settings.variables import is_mapping, section_within

_WORDS = {
    "dict_type": "should be a table",
    "model_type": "should be a table",
    "tuple_type": "should be a list",
    "missing": "is required",
    "string_pattern_mismatch": "is not a model id",
}


def explain_error(detail: ErrorDetails, origins: Mapping[KeyPath, Layer]) -> SettingsError:
    path = _find_written_path((*detail["loc"], *detail.get("ctx", {}).get("under", ())), origins)
    if path[-1:] == ("model",) and path not in origins and detail["type"] != "missing":
        path = path[:-1]  # `coding = "…"` is short for a table that holds the model alone
    layer = origins.get(_find_known_prefix(path, origins))
    where = f"{layer.place(path)}: " if layer else ""
    key = ".".join(path)
    if detail["type"] == "extra_forbidden":
        return SettingsError(f"{where}{key}: no such setting", hint=_suggest(detail["loc"]))
    given = f" (given: {detail['input']!r})" if isinstance(detail["input"], str | int | float | bool) else ""
    return SettingsError(f"{where}{key}: {_describe_problem(detail)}{given}", hint=_build_hint(detail, key))


def _find_written_path(location: tuple[int | str, ...], origins: Mapping[KeyPath, Layer]) -> KeyPath:
    """Pydantic's location without list indexes, as the user wrote it: `write.judge` may be one key or two."""
    path = tuple(part for part in location if isinstance(part, str))
    split = tuple(key for part in path for key in part.split("."))
    return max(path, split, key=lambda candidate: len(_find_known_prefix(candidate, origins)))


def _find_known_prefix(path: KeyPath, origins: Mapping[KeyPath, Layer]) -> KeyPath:
    """The longest prefix of a path that some layer has set."""
    return next((path[:length] for length in range(len(path), 0, -1) if path[:length] in origins), ())


def _describe_problem(detail: ErrorDetails) -> str:
    """The problem, in terms of the settings file rather than of Python."""
    if detail["type"] == "model_type" and detail["ctx"]["class_name"] == ModelChoice.__name__:
        return "should be a model id or a table"
    message = detail["msg"].removeprefix("Value error, ")
    return _WORDS.get(detail["type"]) or message[:1].lower() + message[1:]


def _build_hint(detail: ErrorDetails, key: str) -> str:
    if detail["type"] == "string_pattern_mismatch":
        return 'A model id reads "provider/model", for example "ollama/qwen2.5-coder:7b".'
    if detail["type"] == "literal_error":
        renamed = _find_renamed_values(detail["loc"])
        if detail["input"] in renamed:
            return f"{detail['input']!r} is called {renamed[detail['input']]!r} now."
    return f"`bottega docs settings` describes {key}."


def _find_renamed_values(location: tuple[int | str, ...]) -> Mapping[str, Any]:
    """Present values of a setting by their former names."""
    *above, key = map(str, location)
    field = _find_section(above).model_fields.get(key)
    extra = field.json_schema_extra if field else None
    renamed = extra.get("renamed") if isinstance(extra, dict) else None
    return renamed if isinstance(renamed, dict) else {}


def _suggest(location: tuple[int | str, ...]) -> str:
    *above, key = map(str, location)
    if key in {"api_key", "key", "token"}:
        return "Keys are never written to settings: put the key in a variable and name it with api_key_env."
    known = list(_find_section(above).model_fields)
    close = difflib.get_close_matches(key, known, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(known)}."


def _find_section(path: Sequence[str]) -> type[BaseModel]:
    section: type[BaseModel] = Settings
    parts = iter(path)
    for part in parts:
        annotation = section.model_fields[part].annotation
        if is_mapping(annotation):
            next(parts)  # a name that the user chose
        section = section_within(annotation) or section
    return section
