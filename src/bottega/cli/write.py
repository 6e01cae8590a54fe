"""`bottega write`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from bottega.cli.options import format_option, model_options, opened
from bottega.cli.plain import complain, has_controls, put_data
from bottega.cli.results import conclude, render_code
from bottega.errors import InputError, SettingsError, StorageError

_MOST_BYTES = 50_000_000


@click.command(short_help="Write code, run the request's examples on it, and say what was checked.")
@click.argument("request", nargs=-1)
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the request from a file.")
@click.option("--mode", metavar="MODE", help="reviewed (default), raw, review-only, ctx or continue.")
@click.option("--lang", "language", metavar="NAME", help="Language of the code (default: as the request says).")
@click.option("--out", type=click.Path(path_type=Path), help="Write the code to a file instead of standard output.")
@click.option(
    "--context", "records", type=click.IntRange(min=1, max=100), help="Put the last N turns before the request."
)
@click.option("--pipeline", "pipeline_name", metavar="NAME", help="Another pipeline, or its file: write-tested, …")
@format_option()
@model_options
def write(
    request: tuple[str, ...],
    file: Path | None,
    mode: str | None,
    language: str | None,
    out: Path | None,
    records: int | None,
    pipeline_name: str | None,
    form: str,
    **shared: Any,
) -> int:
    """Write code for REQUEST, which may also come from standard input or a file.

    A tag on the first line chooses the mode: ///raw (coder only), ///review-only (the text is code to review),
    ///ctx or ///continue (earlier turns come along). Standard output is the code alone.
    """
    text = request_text(request, file, 'Say what to write: bottega write "a function that …"')
    from bottega.write import Order, Rules, parse_request
    from bottega.write import write as carry_out

    parse_request(text, mode=mode)
    language = _checked_language(language, out)
    with opened(**shared) as workshop:
        settings = workshop.settings.write
        require_language(settings.language)
        rules = Rules(
            confidence_threshold=settings.confidence_threshold,
            conflict_threshold=settings.conflict_threshold,
            language=settings.language,
            context_records=records or settings.context_records,
        )
        order = Order(text, mode or ("ctx" if records else None), language, rules)
        pipeline = workshop.pipelines.find(pipeline_name or settings.pipeline)
        workshop.require_model()
        if pipeline.kind != "write":
            raise InputError(f"the pipeline {pipeline.name} is of the kind {pipeline.kind}, not write")
        result = carry_out(order, engine=workshop.engine, pipeline=pipeline)
    _deliver(render_code(result, form), out)
    return conclude(result)


def request_text(request: tuple[str, ...], file: Path | None, hint: str, what: str = "request") -> str:
    """From the arguments, a file or standard input; exactly one of them."""
    if request and file:
        raise InputError(f"the {what} is given twice, as words and as a file", hint="Keep one of the two.")
    if request and request != ("-",):
        return _decoded(os.fsencode(" ".join(request)), f"the {what}")
    if file:
        return _decoded(_file_bytes(file), str(file))
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(f"the {what} is empty", hint=hint)
    return _decoded(sys.stdin.buffer.read(_MOST_BYTES + 1), "standard input")


def _file_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as handle:
            return handle.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None


def _decoded(data: bytes, source: str) -> str:
    if len(data) > _MOST_BYTES:
        raise InputError(f"{source} is larger than {_MOST_BYTES // 1_000_000} MB", hint="A request is text.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{source} is not UTF-8 text", hint="A request is text; convert it with iconv.") from None
    if "\0" in text:
        raise InputError(f"{source} is binary, not text", hint="A request is text.")
    return text


def _checked_language(language: str | None, out: Path | None) -> str | None:
    from bottega.source import known_languages, language_named, language_of_path

    if language is not None:
        named = language_named(language)
        if named is None:
            from difflib import get_close_matches

            close = get_close_matches(language.lower(), [known.name.lower() for known in known_languages()], n=1)
            raise InputError(f"there is no language {language}", hint=f"Did you mean {close[0]}?" if close else "")
        return named.name
    from_name = language_of_path(str(out)) if out else None
    return from_name.name if from_name else None


def require_language(name: str) -> None:
    """The setting `write.language`, which the schema cannot check: it stands below the table of languages."""
    from bottega.source import language_named

    if language_named(name) is None:
        raise SettingsError(f"write.language: there is no language {name!r}", hint="For example python, go or rust.")


def _deliver(text: str, out: Path | None) -> None:
    if out is None:
        put_data(text, "the code")
        return
    if has_controls(text):
        complain(f"bottega: the code in {out} holds control characters or marks that turn text around\n")
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        put_data(text, "the code")
        raise StorageError(
            f"{out} cannot be written: {error.strerror}", hint="The code went to standard output instead."
        ) from None
