"""Bring weights into the cache because a person asked for it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bottega.errors import StorageError
from bottega.models.weights.cache import installed, wheels_dir
from bottega.models.weights.catalogue import Weights
from bottega.models.weights.disk import shortage, storage_errors, too_little_space
from bottega.models.weights.job import STALL_SECONDS, Job, Progress, SourceFailed
from bottega.models.weights.lock import exclusive
from bottega.models.weights.registry import Registry
from bottega.models.weights.sources import Source, chosen, local

_CONFIGURED = Registry()


@dataclass(frozen=True, slots=True)
class Pulled:
    """Weights that are here; `source` is `hub`, `parts`, `file`, or `cache` when they already were."""

    path: Path
    source: str
    seconds: float


def pull(
    weights: Weights,
    *,
    into: Path,
    sources: Sequence[str] = ("hub", "parts"),
    from_file: Path | None = None,
    registry: Registry = _CONFIGURED,
    progress: Callable[[Progress], None],
    stall_seconds: float = STALL_SECONDS,
) -> Pulled:
    """Try the sources in order; with `from_file`, that file alone. Stopped at any point, it goes on from there."""
    started = time.monotonic()
    ways = [local(from_file, weights, into)] if from_file else chosen(tuple(sources), registry)
    with storage_errors(into):
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(weights, into):
            job = Job(weights, into, "", progress, stall_seconds)
            source = "cache" if installed(weights, into=into) else _bring(job, ways)
    return Pulled(into / weights.file, source, time.monotonic() - started)


def _bring(job: Job, ways: list[Source]) -> str:
    weights, into = job.weights, job.into
    if lack := shortage(min(way.room(weights, into) for way in ways), into):
        raise too_little_space(lack)
    failures = []
    for way in ways:
        try:
            _try(way, replace(job, source=way.name))
        except SourceFailed as failure:
            failures.append(f"{way.name}: {failure}")
        else:
            shutil.rmtree(wheels_dir(weights, into), ignore_errors=True)
            return way.name
    raise _nothing_worked(weights, failures)


def _try(way: Source, job: Job) -> None:
    if lack := shortage(way.room(job.weights, job.into), job.into):
        raise SourceFailed(lack)
    way.fetch(job)


def _nothing_worked(weights: Weights, failures: list[str]) -> StorageError:
    hint = f"Bring the file from {weights.hub} by other means and pull it with --from FILE."
    return StorageError("\n  ".join([f"{weights.name} could not be pulled", *failures]), hint=hint)
