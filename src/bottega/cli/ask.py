"""`bottega ask`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, check_gate, print_result
from bottega.cli.inputs import read_request
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import Output, output_options
from bottega.cli.streaming import open_stream

MODES = ("hybrid", "semantic_rerank", "semantic", "bm25")


@click.command(short_help="Answer a question about the code, with checked citations.")
@click.argument("question", nargs=-1)
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the question from a file.")
@click.option("--chat", "chat", metavar="NAME", default="", help="Continue a conversation, or start one.")
@click.option("--lang", "language", metavar="LANG", default="", help="The question's language if it is not English.")
@click.option("--mode", type=click.Choice(MODES), help="Search by this mode, without asking the router.")
@click.option("--pipeline", metavar="NAME", default="", help="Another pipeline, or its file: ask-rules, …")
@click.option("--no-model", is_flag=True, help="Answer with evidence only, even where a model is configured.")
@output_options("text", "json", "markdown")
@model_options
def ask(
    question: tuple[str, ...],
    file: Path | None,
    chat: str,
    language: str,
    mode: str | None,
    pipeline: str,
    no_model: bool,
    output: Output,
    **shared: Any,
) -> int:
    """Answer QUESTION about the repository; it may also come from standard input or a file.

    Every statement cites path:first-last. Each citation is compared with its lines before it is shown: one that does
    not hold is moved to lines that support the statement, or removed. Marks show the result: [path:1-9 weak] (the lines
    contain the names, but few other words), [unsupported], [uncited]. Names and words are compared; whether a
    statement is true is not checked. Without a model, the answer is the evidence.
    Exit code 4 says that nothing in the answer was found at the lines it cites.
    """
    from bottega.ask import AskRequest

    text = read_request(question, file, 'Ask something: bottega ask "where is …?"', "question")
    request = AskRequest(
        question=text, language=language, chat=chat, mode=mode or "", pipeline=pipeline, no_model=no_model
    )
    stream = open_stream(output)
    with open_workshop(**shared) as workshop:
        result = call(workshop, request, stream=stream)
    if stream is None:
        return print_result(result, output)
    stream.finish(result)
    return check_gate(result)
