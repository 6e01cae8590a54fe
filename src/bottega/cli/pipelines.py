"""`bottega pipelines`."""

from __future__ import annotations

import sys
from typing import Any

import click

from bottega.cli.options import format_option, opened, settings_options
from bottega.cli.plain import json_text, plain


@click.group(short_help="List, show, check and draw pipelines.")
def pipelines() -> None:
    """Every verb that calls a model is a graph of steps in YAML.

    Your own live in .bottega/pipelines/ and in the directories of the setting pipelines.paths.
    """


@pipelines.command("list", short_help="List every pipeline.")
@format_option()
@settings_options
def list_pipelines(form: str, **shared: Any) -> int:
    """List every pipeline, where it comes from and what it does."""
    with opened(**shared) as workshop:
        found = [workshop.pipelines.get(name) for name in workshop.pipelines.names()]
    if form == "json":
        rows = [{"name": p.name, "kind": p.kind, "file": p.place.file, "description": p.description} for p in found]
        sys.stdout.write(json_text(rows, indent=2))
        return 0
    width = max(len(pipeline.name) for pipeline in found)
    for pipeline in found:
        sys.stdout.write(plain(f"{pipeline.name:<{width}}  {pipeline.description}") + "\n")
    return 0


@pipelines.command("show", short_help="Print the merged pipeline and draw it.")
@click.argument("name")
@format_option()
@settings_options
def show(name: str, form: str, **shared: Any) -> int:
    """Print NAME as it runs, after inheritance, and draw it. NAME may be a file."""
    import yaml

    with opened(**shared) as workshop:
        pipeline = workshop.pipelines.find(name)
    if form == "json":
        sys.stdout.write(json_text({"pipeline": pipeline.as_json()}, indent=2))
        return 0
    from bottega.pipeline import as_text

    lineage = f"# from {' -> '.join(pipeline.lineage)}\n" if len(pipeline.lineage) > 1 else ""
    text = yaml.safe_dump({"pipeline": pipeline.as_json()}, sort_keys=False, width=120)
    sys.stdout.write(plain(f"{lineage}{text}\n{as_text(pipeline)}"))
    return 0


@pipelines.command("check", short_help="Refuse what could go wrong at run time.")
@click.argument("names", nargs=-1)
@settings_options
def check(names: tuple[str, ...], **shared: Any) -> int:
    """Check NAMES (pipelines or files), or every pipeline. Exit code 2 at the first that is refused."""
    with opened(**shared) as workshop:
        checked = [workshop.pipelines.find(name) for name in names or workshop.pipelines.names()]
    for pipeline in checked:
        sys.stdout.write(plain(f"ok  {pipeline.name} ({len(pipeline.steps)} steps)") + "\n")
    return 0


@pipelines.command("draw", short_help="Draw a pipeline.")
@click.argument("name")
@format_option("text", "mermaid")
@settings_options
def draw(name: str, form: str, **shared: Any) -> int:
    """Draw NAME for the terminal, or as Mermaid for a page."""
    from bottega.pipeline import as_mermaid, as_text

    with opened(**shared) as workshop:
        pipeline = workshop.pipelines.find(name)
    sys.stdout.write(plain(as_mermaid(pipeline) if form == "mermaid" else as_text(pipeline)))
    return 0
