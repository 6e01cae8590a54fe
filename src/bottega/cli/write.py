"""`bottega write`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bottega.cli.calling import call, check_gate, show_notes
from bottega.cli.inputs import read_request
from bottega.cli.options import model_options, open_workshop
from bottega.cli.output import Output, output_options
from bottega.cli.terminal import has_control_characters, render_json, write_data, write_error
from bottega.errors import StorageError


@click.command(short_help="Write code, run the request's examples on it, and say what was checked.")
@click.argument("request", nargs=-1)
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the request from a file.")
@click.option("--mode", metavar="MODE", help="reviewed (default), raw, review-only, ctx or continue.")
@click.option("--lang", "language", metavar="NAME", help="Language of the code (default: as the request says).")
@click.option(
    "-o",
    "--out",
    "--output",
    "out",
    type=click.Path(path_type=Path),
    help="Write the code to a file instead of standard output.",
)
@click.option(
    "--context", "records", type=click.IntRange(min=1, max=100), help="Put the last N turns before the request."
)
@click.option("--pipeline", metavar="NAME", default="", help="Another pipeline, or its file: write-tested, …")
@output_options(with_file=False)
@model_options
def write(
    request: tuple[str, ...],
    file: Path | None,
    mode: str | None,
    language: str | None,
    out: Path | None,
    records: int | None,
    pipeline: str,
    output: Output,
    **shared: Any,
) -> int:
    """Write code for REQUEST, which may also come from standard input or a file.

    A tag on the first line chooses the mode: ///raw (coder only), ///review-only (the text is code to review),
    ///ctx or ///continue (earlier turns come along). Standard output is the code alone.
    """
    from bottega.write import WriteRequest

    text = read_request(request, file, 'Say what to write: bottega write "a function that …"')
    wanted = WriteRequest(
        text=text,
        mode=mode or "",
        language=language or "",
        file_name=str(out) if out else "",
        context=records or 0,
        pipeline=pipeline,
    )
    with open_workshop(**shared) as workshop:
        result = call(workshop, wanted)
    _write(render_json(result.as_json()) if output.form == "json" else result.output, out)
    show_notes(result)
    return check_gate(result)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        write_data(text, "the code")
        return
    if has_control_characters(text):
        write_error(f"bottega: the code in {out} contains control characters or text direction marks\n")
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        write_data(text, "the code")
        raise StorageError(
            f"{out} cannot be written: {error.strerror}", hint="The code went to standard output instead."
        ) from None
