"""Say what is wrong with a setting: where it stands, what it should be, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from bottega.errors import SettingsError
from bottega.settings.layers import KeyPath, Layer
from bottega.settings.schema import ModelChoice, Settings
from bottega.settings.variables import is_mapping, section_within

_WORDS = {
    "dict_type": "should be a table",
    "model_type": "should be a table",
    "tuple_type": "should be a list",
    "missing": "is required",
    "string_pattern_mismatch": "is not a model id",
}


def explained(detail: ErrorDetails, origins: Mapping[KeyPath, Layer]) -> SettingsError:
    path = _written_path((*detail["loc"], *detail.get("ctx", {}).get("under", ())), origins)
    if path[-1:] == ("model",) and path not in origins and detail["type"] != "missing":
        path = path[:-1]  # `coding = "…"` is short for a table that holds the model alone
    layer = origins.get(_known(path, origins))
    where = f"{layer.place(path)}: " if layer else ""
    key = ".".join(path)
    if detail["type"] == "extra_forbidden":
        return SettingsError(f"{where}{key}: no such setting", hint=_suggestion(detail["loc"]))
    given = f" (given: {detail['input']!r})" if isinstance(detail["input"], str | int | float | bool) else ""
    return SettingsError(f"{where}{key}: {_words(detail)}{given}", hint=_expectation(detail, key))


def _written_path(location: tuple[int | str, ...], origins: Mapping[KeyPath, Layer]) -> KeyPath:
    """Pydantic's location without places in lists, as the person wrote it: `write.judge` may be one key or two."""
    path = tuple(part for part in location if isinstance(part, str))
    apart = tuple(piece for part in path for piece in part.split("."))
    return max(path, apart, key=lambda candidate: len(_known(candidate, origins)))


def _known(path: KeyPath, origins: Mapping[KeyPath, Layer]) -> KeyPath:
    """The longest beginning of a path that some layer has set."""
    return next((path[:length] for length in range(len(path), 0, -1) if path[:length] in origins), ())


def _words(detail: ErrorDetails) -> str:
    """What is wrong, in the words of the file rather than of Python."""
    if detail["type"] == "model_type" and detail["ctx"]["class_name"] == ModelChoice.__name__:
        return "should be a model id or a table"
    message = detail["msg"].removeprefix("Value error, ")
    return _WORDS.get(detail["type"]) or message[:1].lower() + message[1:]


def _expectation(detail: ErrorDetails, key: str) -> str:
    if detail["type"] == "string_pattern_mismatch":
        return 'A model id reads "provider/model", for example "ollama/qwen2.5-coder:7b".'
    return f"See {key} in docs/settings.md."


def _suggestion(location: tuple[int | str, ...]) -> str:
    *above, key = map(str, location)
    if key in {"api_key", "key", "token"}:
        return "Keys are never written to settings: put the key in a variable and name it with api_key_env."
    known = list(_section_at(above).model_fields)
    close = difflib.get_close_matches(key, known, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(known)}."


def _section_at(path: Sequence[str]) -> type[BaseModel]:
    section: type[BaseModel] = Settings
    parts = iter(path)
    for part in parts:
        annotation = section.model_fields[part].annotation
        if is_mapping(annotation):
            next(parts)  # a name that the person invented
        section = section_within(annotation) or section
    return section
