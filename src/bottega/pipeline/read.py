"""Read one pipeline file before inheritance; unknown keys and wrong types are errors."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bottega.errors import PipelineError
from bottega.pipeline.entries import Entry, read_entries
from bottega.pipeline.spec import Place, StepSpec
from bottega.source.files import NotARegularFile
from bottega.source.tree import RepositoryFiles

_KEYS = ("name", "kind", "extends", "description", "settings", "steps", "remove")


@dataclass(frozen=True, slots=True)
class Draft:
    """The content of one file, without what it inherits; `settings` keeps the line of every value."""

    name: str
    kind: str
    extends: str
    description: str
    settings: Entry
    steps: Mapping[str, StepSpec]
    remove: Mapping[str, Place]
    place: Place


def read_draft(path: str, shown: str, files: RepositoryFiles) -> Draft:
    try:
        content = files.read(path)
    except NotARegularFile as error:
        raise PipelineError(f"{shown}: is not a file: it {error.strerror}") from None
    except OSError as error:
        raise PipelineError(f"{shown}: cannot be read: {error.strerror or error}") from None
    if content is None:
        raise PipelineError(f"{shown}: no longer exists")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise PipelineError(f"{shown}:{line}: not UTF-8 text", hint="Save the file as UTF-8.") from None
    top = _read_mapping(read_entries(text, shown), "the file")
    _refuse_unknown(top, ("pipeline",), "the file")
    if "pipeline" not in top:
        raise PipelineError(f"{shown}:1: there is no `pipeline:`")
    body = _read_mapping(top["pipeline"], "pipeline")
    _refuse_unknown(body, _KEYS, "pipeline")
    place = top["pipeline"].place
    if "name" not in body:
        raise PipelineError(f"{place}: the pipeline has no name")
    settings = body.get("settings", Entry({}, place))
    _read_mapping(settings, "settings")
    return Draft(
        name=_read_text(body["name"], "name"),
        kind=_read_text(body["kind"], "kind") if "kind" in body else "",
        extends=_read_text(body["extends"], "extends") if "extends" in body else "",
        description=_read_text(body["description"], "description") if "description" in body else "",
        settings=settings,
        steps=_read_steps(body.get("steps", Entry([], place))),
        remove={_read_text(entry, "remove"): entry.place for entry in _read_list(body.get("remove"), "remove")},
        place=place,
    )


def _read_steps(entry: Entry) -> dict[str, StepSpec]:
    steps: dict[str, StepSpec] = {}
    for item in _read_list(entry, "steps"):
        step = _read_step(item)
        if step.id in steps:
            raise PipelineError(f"{step.place}: the step {step.id} is defined twice")
        steps[step.id] = step
    return steps


def _read_step(entry: Entry) -> StepSpec:
    content = _read_mapping(entry, "a step")
    for key in ("id", "action"):
        if key not in content:
            raise PipelineError(f"{entry.place}: a step has no {key}")
    branches = {key[3:]: _read_text(inner, key) for key, inner in content.items() if key.startswith("on_")}
    params = {
        key: inner.plain()
        for key, inner in content.items()
        if key not in {"id", "action", "next"} and not key.startswith("on_")
    }
    return StepSpec(
        id=_read_text(content["id"], "id"),
        action=_read_text(content["action"], "action"),
        branches=branches,
        next=_read_text(content["next"], "next") if "next" in content else None,
        params=params,
        place=entry.place,
        places={key: inner.place for key, inner in content.items()},
    )


def _read_mapping(entry: Entry, what: str) -> dict[str, Entry]:
    if not isinstance(entry.value, dict):
        raise PipelineError(f"{entry.place}: {what} must be a mapping of keys")
    return entry.value


def _read_list(entry: Entry | None, what: str) -> list[Entry]:
    if entry is None:
        return []
    if not isinstance(entry.value, list):
        raise PipelineError(f"{entry.place}: {what} must be a list")
    return entry.value


def _read_text(entry: Entry, what: str) -> str:
    value: Any = entry.value
    if not isinstance(value, str) or not value.strip():
        raise PipelineError(f"{entry.place}: {what} must be text")
    return value.strip()


def _refuse_unknown(content: Mapping[str, Entry], known: Iterable[str], what: str) -> None:
    for key, entry in content.items():
        if key not in known:
            raise PipelineError(f"{entry.place}: {what} has no key {key}", hint=suggest(key, known))


def suggest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean {close[0]}?" if close else f"Known: {', '.join(sorted(known))}."
