"""Ask before a directory that is no repository is indexed for the first time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from bottega.amounts import plural
from bottega.cli.progress import print_remark
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.workshop import Workshop

# Without a terminal nobody can be asked: directories up to this size are indexed, larger ones are refused.
_MOST_FILES, _MOST_BYTES = 5_000, 200_000_000


def confirm_first_index(workshop: Workshop) -> None:
    """Raise `InputError` where nobody can be asked about a large directory, or the answer is no."""
    if workshop.is_known_by_records:
        print_remark(
            f"working in {workshop.root}, whose records cover this directory; `bottega index .` makes an index here"
        )
    size = workshop.measure_first_index()
    if size is None or not size.files:
        return
    described = f"{workshop.root} is not a git repository: {plural(size.files, 'file')}, {size.size / 1e6:,.1f} MB"
    hint = "`bottega index --yes` indexes it."
    if sys.stdin.isatty() and sys.stderr.isatty():
        if not click.confirm(f"{described}. Index it, under {workshop.root / '.bottega'}?", default=True, err=True):
            raise InputError("nothing is indexed", hint=hint)
    elif size.files > _MOST_FILES or size.size > _MOST_BYTES:
        raise InputError(described, hint=hint)
