"""`bottega enrich`."""

from __future__ import annotations

import sys
from typing import Any

import click

from bottega.cli.options import format_option, model_options, opened
from bottega.cli.plain import complain, json_text, plain
from bottega.errors import Incomplete, InputError


@click.command(short_help="Have a model describe files: purpose, module, domain, concepts.")
@click.argument("paths", nargs=-1)
@click.option("-n", "--limit", type=click.IntRange(0, 1_000_000), default=0, help="At most so many files; 0 is all.")
@click.option("--promote", is_flag=True, help="Copy the descriptions into the knowledge base; alone, it asks no model.")
@click.option("--estimate", is_flag=True, help="Say how many files would be described, and stop.")
@format_option()
@model_options
def enrich(paths: tuple[str, ...], limit: int, promote: bool, estimate: bool, form: str, **shared: Any) -> int:
    """Have a model describe code files that nobody described since they last changed.

    Descriptions are kept in the journal. `--promote` copies those of the present content into the knowledge base,
    where search and later verbs use them. What fails for one file is written down and never ends the run.
    """
    from bottega.enrich import enrich as carry_out
    from bottega.enrich.knowledge import ROLE, wanted
    from bottega.enrich.knowledge import promote as promoted
    from bottega.index import open_keeper

    with opened(**shared) as workshop:
        keeper = open_keeper(workshop.root)
        keeper.refresh()
        if promote and not paths and not limit:
            count = promoted(keeper, workshop.journal)
            _report({"promoted": count}, f"{count} files described in the knowledge base\n", form)
            return 0
        workshop.require_model()
        if estimate:
            from bottega.enrich import prompt

            model = workshop.roster.router.resolve(ROLE).id
            known = workshop.journal.enrichments.described(model, prompt().version)
            count = len(wanted(keeper, paths, known))
            _report({"files": count, "model": model}, f"{count} files to describe with {model}\n", form)
            return 0
        if paths and not wanted(keeper, paths, frozenset()):
            raise InputError(f"no code file matches {' '.join(paths)}", hint="Name files or folders below the root.")
        result = carry_out(paths, limit=limit, engine=workshop.engine, pipeline=workshop.pipelines.get("enrich"))
        count = promoted(keeper, workshop.journal) if promote else 0
    for entry in result.failed:
        complain(f"not described: {entry.path}: {entry.error}\n")
    data = {
        "run": result.run_id,
        "described": result.described,
        "failed": [{"path": entry.path, "error": entry.error} for entry in result.failed],
        "promoted": count,
    }
    text = f"{result.described} files described, {len(result.failed)} failed"
    _report(data, f"{text}{f', {count} in the knowledge base' if promote else ''}\n", form)
    if result.failed:
        raise Incomplete(
            f"{len(result.failed)} files are not described", hint="Run it again: only those are asked about."
        )
    return 0


def _report(data: dict[str, Any], text: str, form: str) -> None:
    sys.stdout.write(json_text(data) if form == "json" else plain(text))
