"""`bottega pipelines`."""

from __future__ import annotations

from typing import Any

import click

from bottega.cli.calling import print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options


@click.group(cls=DefaultGroup, default="list", short_help="List, show, check and draw pipelines.")
def pipelines() -> None:
    """Every verb that calls a model is a graph of steps in YAML.

    Your own live in .bottega/pipelines/ and in the directories of the setting pipelines.paths. Alone, it lists
    them.
    """


@pipelines.command("list", short_help="List every pipeline.")
@output_options()
@settings_options
def list_pipelines(output: Output, **shared: Any) -> int:
    """List every pipeline, where it comes from and what it does."""
    from bottega.workshop.pipelines import PipelinesRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(PipelinesRequest()), output)


@pipelines.command("show", short_help="Print the merged pipeline and draw it.")
@click.argument("name")
@output_options()
@settings_options
def show(name: str, output: Output, **shared: Any) -> int:
    """Print NAME as it runs, after inheritance, and draw it. NAME may be a file."""
    from bottega.workshop.pipelines import PipelineRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(PipelineRequest(name=name)), output)


@pipelines.command("check", short_help="Check pipelines before they run.")
@click.argument("names", nargs=-1)
@settings_options
def check(names: tuple[str, ...], **shared: Any) -> int:
    """Check NAMES (pipelines or files), or every pipeline. Exit code 2 at the first that is refused."""
    from bottega.workshop.pipelines import PipelineCheckRequest

    with open_workshop(**shared) as workshop:
        return print_result(workshop.call(PipelineCheckRequest(names=names)), TEXT)


@pipelines.command("draw", short_help="Draw a pipeline.")
@click.argument("name")
@output_options("text", "mermaid")
@settings_options
def draw(name: str, output: Output, **shared: Any) -> int:
    """Draw NAME for the terminal, or as Mermaid for a page."""
    from bottega.workshop.pipelines import PipelineRequest

    with open_workshop(**shared) as workshop:
        result = workshop.call(PipelineRequest(name=name))
    return print_result(result, output, text=result.mermaid if output.form == "mermaid" else result.drawing)
