"""`BOTTEGA_*` variables: one per setting, its path in capitals joined by underscores."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel

from bottega.errors import SettingsError
from bottega.settings.model_settings import ModelChoice
from bottega.settings.schema import Settings


def path_of_variable(name: str) -> tuple[str, ...]:
    known = variables()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]}?" if close else "`bottega config show` lists every setting."
    raise SettingsError(f"{name}: no such setting", hint=hint)


@cache
def variables() -> dict[str, tuple[str, ...]]:
    return {"BOTTEGA_" + "_".join(path).upper(): path for path in leaf_paths(Settings)}


def leaf_paths(model: type[BaseModel], prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every setting with a fixed path; tables with keys that the user chooses have none."""
    for name, field in model.model_fields.items():
        inner = section_of(field.annotation)
        if inner is not None and inner is not ModelChoice:
            yield from leaf_paths(inner, (*prefix, name))
        elif not is_mapping(field.annotation):
            yield (*prefix, name)


def section_of(annotation: Any) -> type[BaseModel] | None:
    return None if is_mapping(annotation) else section_within(annotation)


def section_within(annotation: Any) -> type[BaseModel] | None:
    """The section that is the type of a field, or of the values of a table with keys that the user chooses."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((section for inner in get_args(annotation) if (section := section_within(inner))), None)


def is_mapping(annotation: Any) -> bool:
    origins = [
        getattr(annotation, "__origin__", None),
        *(getattr(a, "__origin__", None) for a in get_args(annotation)),
    ]
    return dict in origins
