"""`bottega index`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bottega.cli.options import format_option, settings_options
from bottega.cli.plain import json_text, one_line, plain
from bottega.cli.progress import Bar, announce
from bottega.errors import GateFailed

if TYPE_CHECKING:
    from bottega.index import Keeper, Refreshed


_MOST_SHOWN = 20


@click.command(short_help="Read the repository into the knowledge base, or bring it in step.")
@click.argument("directory", type=click.Path(path_type=Path), required=False)
@click.option("--rebuild", is_flag=True, help="Begin anew; analyses of unchanged content are still used.")
@click.option("--verify", is_flag=True, help="Prove that the index equals one made from nothing; exit 1 if not.")
@click.option(
    "--graph", type=click.Path(path_type=Path), help="Load nodes and edges made elsewhere (graph.json or CSV)."
)
@click.option("--vectors", is_flag=True, help="Wait until every piece has its vector.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Processes that read files.")
@format_option()
@settings_options
def index(
    directory: Path | None,
    rebuild: bool,
    verify: bool,
    graph: Path | None,
    vectors: bool,
    workers: int | None,
    form: str,
    **shared: Any,
) -> int:
    """Read the repository: files, symbols, references, history and words.

    Only what changed is read again, and the result is the same as that of a rebuild. Every search refreshes
    first, so this verb is needed only for the first time, for large changes, or to verify.
    """
    from bottega.cli.knowledge import embed, embed_behind, keeper_of

    keeper = keeper_of(directory, shared)
    if verify:
        return _verify(keeper, form, workers or 0)
    with Bar(sys.stderr) as bar:
        done = keeper.refresh(rebuild=rebuild, progress=bar.show, remark=announce, workers=workers or 0)
    assert done is not None
    if graph is not None:
        count = keeper.load_graph(graph)
        announce(f"loaded {count} nodes from {graph}")
    if vectors:
        with Bar(sys.stderr) as bar:
            embedded = embed(keeper, bar.show, workers or 0)
        announce("another process is embedding already" if embedded is None else f"embedded {embedded} pieces")
    _report(keeper, done, form)
    is_behind = not vectors and not done.is_unchanged and bool(done.files) and embed_behind(keeper, shared)
    if is_behind and done.is_rebuilt:
        announce("ready; pieces get their vectors in the background (`--vectors` waits for them)")
    return 0


def _report(keeper: Keeper, done: Refreshed, form: str) -> None:
    for path, why in done.remarks[:20]:
        announce(one_line(f"left out: {path}: {why}"))
    _report_kept_as_text(done)
    if form == "json":
        sys.stdout.write(json_text({**asdict(done), "folder": str(keeper.place.folder)}))
        return
    if not done.files:
        announce(
            "there are no files to read here, or rules leave all of them out; `.bottegaignore` can take some in (!)"
        )
    if done.is_unchanged:
        sys.stdout.write(f"{done.files} files, nothing changed ({done.seconds:.2f} s)\n")
        return
    what = "read anew" if done.is_rebuilt else f"{done.added} added, {done.changed} changed, {done.removed} removed"
    sys.stdout.write(plain(f"{done.files} files, {what} ({done.seconds:.2f} s)\n"))


def _report_kept_as_text(done: Refreshed) -> None:
    """Files over the budget of one file are found by their words alone: nobody should believe otherwise."""
    if not done.kept_as_text or done.is_unchanged:
        return
    count = len(done.kept_as_text)
    announce(f"{count} file{'s' if count > 1 else ''} kept as text, without symbols (docs/index.md, Budget):")
    for path, why in done.kept_as_text[:_MOST_SHOWN]:
        announce(one_line(f"  {path}: {why}"))
    if count > _MOST_SHOWN:
        announce(f"  … and {count - _MOST_SHOWN} more, in `bottega stats --format json`")


def _verify(keeper: Keeper, form: str, workers: int) -> int:
    from bottega.index.verify import verify

    with Bar(sys.stderr) as bar:
        keeper.refresh(progress=bar.show, remark=announce)
        result = verify(keeper, progress=bar.show, workers=workers)
    if form == "json":
        shown = {**asdict(result), "is_same": result.is_same}
        sys.stdout.write(json_text(shown))
    elif result.is_same:
        sys.stdout.write(f"the index equals a rebuild: {result.rows} rows compared\n")
    else:
        sys.stdout.write("".join(f"{one_line(str(difference))}\n" for difference in result.differences))
    if not result.is_same:
        raise GateFailed(
            f"the index differs from a rebuild in {result.differing} rows",
            hint="`bottega index --rebuild` mends it; please report how it came about.",
        )
    return 0
