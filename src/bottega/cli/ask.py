"""`bottega ask`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, model_options, opened
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.cli.answers import Stream
    from bottega.pipeline import Pipeline
    from bottega.workshop import Workshop

MODES = ("hybrid", "semantic_rerank", "semantic", "bm25")
WITHOUT_MODEL = "ask-evidence"


@click.command(short_help="Answer a question about the code, with citations that were re-read.")
@click.argument("question", nargs=-1)
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the question from a file.")
@click.option("--chat", "chat", metavar="NAME", default="", help="Go on with a conversation, or begin one.")
@click.option("--lang", "language", metavar="LANG", default="", help="The question's language if it is not English.")
@click.option("--mode", type=click.Choice(MODES), help="Search this way, and do not ask the router.")
@click.option("--pipeline", "pipeline_name", metavar="NAME", help="Another pipeline, or its file: ask-rules, …")
@click.option("--no-model", is_flag=True, help="Only evidence, whatever models there are.")
@format_option("text", "json", "markdown")
@model_options
def ask(
    question: tuple[str, ...],
    file: Path | None,
    chat: str,
    language: str,
    mode: str | None,
    pipeline_name: str | None,
    no_model: bool,
    form: str,
    **shared: Any,
) -> int:
    """Answer QUESTION about the repository; it may also come from standard input or a file.

    Every statement cites path:first-last. Citations are re-read before anything is shown: one that does not hold is
    moved to the passage that holds the statement, or removed. Marks say what the lines do not show: [path:1-9 weak]
    (the names are there, what is said of them is not), [unsupported], [uncited]. Names and words are compared with
    the lines; whether a statement is true is not checked. Without a model, the answer is the evidence.
    Exit code 4 says that nothing in the answer was found at the lines it cites.
    """
    from bottega.ask import Order
    from bottega.ask import ask as carry_out
    from bottega.cli.answers import deliver
    from bottega.cli.write import request_text

    text = request_text(question, file, 'Ask something: bottega ask "where is …?"', "question")
    order = Order(text, language.strip().lower(), chat, mode or "")
    with opened(**shared, look_for_models=not no_model) as workshop:
        pipeline = chosen(workshop, pipeline_name, no_model=no_model)
        stream = streaming(workshop, form)
        result = carry_out(order, engine=workshop.engine, pipeline=pipeline)
        if result.mode != "bm25":
            embed_behind_if_needed(workshop, shared)
    return deliver(result, form, stream)


def chosen(workshop: Workshop, name: str | None, *, no_model: bool) -> Pipeline:
    """The pipeline asked for; evidence alone where there is no model."""
    if no_model and name:
        raise InputError("--no-model and --pipeline", hint="Give one of them.")
    has_model = not no_model and bool(workshop.roster.router.chosen())
    pipeline = workshop.pipelines.find(name or (workshop.settings.ask.pipeline if has_model else WITHOUT_MODEL))
    if pipeline.kind != "ask":
        raise InputError(
            f"the pipeline {pipeline.name} is of the kind {pipeline.kind}, not ask",
            hint="`bottega pipelines list` names those that there are.",
        )
    if has_model:
        workshop.require_model()
    return pipeline


def streaming(workshop: Workshop, form: str) -> Stream | None:
    """On a terminal, answers are printed while they are made."""
    from bottega.cli.answers import Stream

    if form != "text" or not sys.stdout.isatty():
        return None
    stream = Stream()
    workshop.watch(stream.show)
    return stream


def embed_behind_if_needed(workshop: Workshop, shared: Any) -> None:
    from bottega.cli.knowledge import embed_behind
    from bottega.index import open_keeper

    if workshop.settings.index.vectors == "background" and workshop.ask_tools.open("").lacks_vectors():
        embed_behind(open_keeper(workshop.root), shared)
