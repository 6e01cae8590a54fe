"""`bottega config`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import announce_set_aside, format_option, load, settings_options
from bottega.cli.plain import json_text, plain

if TYPE_CHECKING:
    from bottega.settings import Loaded


@click.group(short_help="Show and check settings.")
def config() -> None:
    """Settings come from your own file, the repository's, variables and flags; later ones win."""


@config.command("show", short_help="Every value with where it came from.")
@format_option()
@settings_options
def show(form: str, **shared: Any) -> int:
    """Print every value with where it came from. Secrets are never shown."""
    _, loaded = load(**shared)
    announce_set_aside(loaded)
    rows = list(_rows(loaded))
    if form == "json":
        content = {key: {"value": value, "from": origin} for key, value, origin in rows}
        sys.stdout.write(json_text(content, indent=2))
        return 0
    width = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        shown = json.dumps(value, ensure_ascii=False) if value is not None else "–"
        sys.stdout.write(plain(f"{key:<{width}}  {shown}  ({origin})") + "\n")
    return 0


@config.command("check", short_help="Refuse what cannot be.")
@settings_options
def check(**shared: Any) -> int:
    """Check every source of settings and the pipelines they name. Exit code 2 when something is wrong."""
    from bottega.cli.options import opened
    from bottega.cli.write import require_language

    with opened(**shared) as workshop:
        count = len(workshop.pipelines.names())
        workshop.pipelines.find(workshop.settings.write.pipeline)
        require_language(workshop.settings.write.language)
    files = ", ".join(workshop.loaded.files) or "no files, defaults only"
    sys.stdout.write(f"ok: {files}; {count} pipelines\n")
    return 0


def _rows(loaded: Loaded) -> Iterator[tuple[str, Any, str]]:
    for path, value in _leaves(loaded.settings.model_dump(mode="json"), ()):
        yield ".".join(path), _masked(path, value), _origin(path, loaded.origins)


def _leaves(values: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _origin(path: tuple[str, ...], origins: Mapping[tuple[str, ...], str]) -> str:
    """A model named in short form stands for its table, so the nearest known parent with a value counts."""
    if path in origins:
        return origins[path]
    if path[:1] == ("models",) and path[-1] == "model" and path[:-1] in origins:
        return origins[path[:-1]]
    return "default"


def _masked(path: tuple[str, ...], value: Any) -> Any:
    """URLs may carry passwords; keys themselves are never in settings."""
    from bottega.journal import Masker

    del path
    return Masker()(value) if isinstance(value, str) else value
