"""Where weights can come from, by name, and how much room each way takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError
from bottega.models.weights import hub, wheels
from bottega.models.weights.cache import bytes_in, partial_file, wheels_dir
from bottega.models.weights.catalogue import Weights
from bottega.models.weights.job import Job
from bottega.models.weights.partial import CHUNK, Partial
from bottega.models.weights.registry import Registry


@dataclass(frozen=True, slots=True)
class Source:
    """One way to the file; `copies` is how many times its size lies on the disk meanwhile."""

    name: str
    copies: int
    fetch: Callable[[Job], None]

    def room(self, weights: Weights, into: Path) -> int:
        """Bytes that must still be free, with a twentieth to spare: a disk filled to the brim helps no one."""
        here = min(bytes_in(partial_file(weights, into)), weights.size)
        if self.copies > 1:
            here += min(bytes_in(wheels_dir(weights, into)), weights.size)
        return self.copies * weights.size + weights.size // 20 - here


def chosen(names: tuple[str, ...], registry: Registry) -> list[Source]:
    """Sources by name, in the order given."""
    offered: Mapping[str, Source] = {
        "hub": Source("hub", 1, hub.fetch),
        "parts": Source("parts", 2, lambda job: wheels.fetch(job, registry)),
    }
    if unknown := [name for name in names if name not in offered]:
        raise InputError(f"No source is called {unknown[0]!r}", hint=f"There are {' and '.join(offered)}.")
    return [offered[name] for name in names]


def local(file: Path, weights: Weights, into: Path) -> Source:
    """A file the person brought. It is copied: theirs stays theirs."""
    if (size := _readable_bytes(file)) != weights.size:
        hint = f"The right file is at {weights.hub}"
        raise InputError(f"{file} has {size:,} bytes, {weights.file} has {weights.size:,}", hint=hint)
    if file.resolve() == partial_file(weights, into).resolve():
        raise InputError(f"{file} belongs to an unfinished pull", hint="Pull without --from to go on with it.")
    return Source("file", 1, lambda job: _copy(file, job))


def _readable_bytes(file: Path) -> int:
    try:
        with file.open("rb") as opened:
            return os.fstat(opened.fileno()).st_size
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error


def _copy(file: Path, job: Job) -> None:
    with file.open("rb") as original, Partial(job) as partial:
        partial.restart()
        while chunk := original.read(CHUNK):
            partial.write(chunk, "download")
        partial.finish()
