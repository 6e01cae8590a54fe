"""`bottega search`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, settings_options
from bottega.cli.plain import complain, json_text, one_line, plain
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.retrieve.search import Found

# More bytes than the longest question that is read can have.
_LARGEST_QUESTION = 1_000_000
_MODES = ("hybrid", "bm25", "semantic", "semantic_rerank")


@click.command(short_help="Find the right place: a name, a question, or a whole issue.")
@click.argument("query", nargs=-1)
@click.option("-k", "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many places.")
@click.option("--mode", type=click.Choice(_MODES), default="hybrid", show_default=True, help="How to rank.")
@click.option(
    "--fusion",
    type=click.Choice(["weighted", "rrf"]),
    default="weighted",
    show_default=True,
    help="How hybrid joins its lists.",
)
@click.option("--lang", "language", metavar="LANG", default="", help="Only files in this language.")
@click.option("--path", "place", metavar="PATH", default="", help="Only below this folder, or paths like a pattern.")
@click.option(
    "--kind", metavar="KIND", default="", help="Only symbols of a kind (class, function …) or code|test|docs|config."
)
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Read the question from a file, - for standard input.",
)
@click.option("--explain", is_flag=True, help="Show what each signal gave.")
@click.option("--no-refresh", is_flag=True, help="Do not compare the index with the files first.")
@format_option()
@settings_options
def search(
    query: tuple[str, ...],
    limit: int,
    mode: str,
    fusion: str,
    language: str,
    place: str,
    kind: str,
    file: Path | None,
    explain: bool,
    no_refresh: bool,
    form: str,
    **shared: Any,
) -> int:
    """Find the right place in the repository.

    QUERY may be a name, a question, or a whole issue with its traceback. The index is brought in step with the
    files first; the last line on standard error says how fresh the answer is.
    """
    from bottega.cli.knowledge import embed_behind, knowledge
    from bottega.retrieve.search import Order

    order = Order(_question(query, file), mode, limit, language, place, kind, fusion)
    with knowledge(shared, refresh=not no_refresh) as opened:
        searcher = opened.searcher()
        found = searcher.search(order)
        root = opened.keeper.root
        if opened.is_current and mode != "bm25" and searcher.lacks_vectors():
            embed_behind(opened.keeper, shared)
    if form == "json":
        hits = [hit.as_json(explain=explain) for hit in found.hits]
        data = {"hits": hits, "freshness": found.freshness.as_json(), "mode": found.mode}
        sys.stdout.write(json_text(data))
        return 0
    _print(found, order.text, root, explain=explain)
    return 0


def _question(query: tuple[str, ...], file: Path | None) -> str:
    if file is None:
        return " ".join(query)
    if query:
        raise InputError("a question and a file with one", hint="Give one of them.")
    if str(file) == "-":
        return _text(sys.stdin.buffer.read(_LARGEST_QUESTION + 1), "standard input")
    try:
        with file.open("rb") as opened:
            return _text(opened.read(_LARGEST_QUESTION + 1), str(file))
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}", hint="Name a text file.") from None


def _text(data: bytes, source: str) -> str:
    from bottega.index.decode import decode

    if len(data) > _LARGEST_QUESTION:
        raise InputError(f"{source} has more than {_LARGEST_QUESTION:,} bytes", hint="Ask with less of it.")
    text = decode(data)
    if text is None:
        raise InputError(f"{source} is binary, not text", hint="A question is text.")
    return text


def _print(found: Found, query: str, root: Path, *, explain: bool) -> None:
    from bottega.retrieve.search import excerpt

    if not found.hits:
        sys.stdout.write("nothing found\n")
    for hit in found.hits:
        name = f"  {hit.symbol} ({hit.kind})" if hit.symbol else ""
        sys.stdout.write(one_line(f"{hit.path}:{hit.start_line}-{hit.end_line}{name}") + "\n")
        if hit.purpose:
            sys.stdout.write(one_line(f"        {hit.purpose[:160]}") + "\n")
        for number, line in excerpt(root, hit, query):
            sys.stdout.write(plain(f"  {number:>5} {line[:160]}\n"))
        if explain:
            parts = sorted(hit.shares.items(), key=lambda item: -abs(item[1]))
            sys.stdout.write(
                plain(f"        {hit.score:g} = " + " ".join(f"{name} {share:+g}" for name, share in parts) + "\n")
            )
    complain(f"index: {found.freshness}\n")
