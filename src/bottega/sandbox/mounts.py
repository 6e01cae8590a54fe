"""The mounts of a command under bubblewrap; everything else is absent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from bottega.errors import SandboxError
from bottega.sandbox._launch import SCRATCH
from bottega.sandbox.job import Job
from bottega.sandbox.launch import LAUNCHER
from bottega.sandbox.usage import MEGABYTE

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
ETC = (
    "alternatives",
    "crypto-policies",
    "group",
    "hosts",
    "ld.so.cache",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "ssl/certs",
    "ssl/openssl.cnf",
)
NETWORK_ETC = ("gai.conf", "protocols", "resolv.conf", "services")
"""Files for name resolution, mounted with a network."""
PYTHON = ("bin", "lib", "lib64", "include", "pyvenv.cfg")
"""The parts of an installation to mount; its whole prefix could be a home directory with keys beside `bin`."""
WORK = f"{SCRATCH}/work"
HOME = f"{SCRATCH}/home"
"""HOME of a command with a workspace, so that caches are not written to the workspace."""
OBJECTS = "/objects"
SEEN_LAUNCHER = "/launch.py"
TEMPORARY = "/tmp"  # noqa: S108 the command's own, behind a link
SHARED_MEMORY = "/dev/shm"  # noqa: S108 as above
LINKS = {
    TEMPORARY: f"{SCRATCH}/tmp",  # noqa: S108 as above
    SHARED_MEMORY: f"{SCRATCH}/shm",
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
DEVICES = ("null", "zero", "full", "random", "urandom")
_RESERVED = ("/proc", "/sys", "/dev", SCRATCH, OBJECTS)

Mount = tuple[str, tuple[str, ...]]
"""A path in the sandbox and the arguments that create it."""


def build_arguments(program: str, job: Job) -> Iterator[str]:
    """The arguments for bwrap; a path is created before the paths inside of it."""
    mounts = [*_mount_system(network=job.network), *_mount_scratch(program, job), *_mount_project(program, job)]
    mounts += [mount for path in job.shown for mount in _mount_readable(path)]
    for _, words in sorted(mounts, key=lambda mount: len(Path(mount[0]).parts)):
        yield from words
    for name, target in LINKS.items():
        yield from ("--symlink", target, name)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def find_work_place(job: Job) -> str:
    """The working directory of the command: the path of its project if it has one."""
    return WORK if job.workspace is None else _follow_links(str(job.workspace.layer.project))


def find_covered_paths(job: Job) -> frozenset[str]:
    """Paths of the workspace with a mount on top."""
    if job.workspace is None:
        return frozenset()
    inside = Path(find_work_place(job))
    mounts = [*_mount_system(network=job.network), *(mount for path in job.shown for mount in _mount_readable(path))]
    places = [Path(place) for place, _ in mounts]
    below = {place.relative_to(inside).as_posix() for place in places if place.is_relative_to(inside)}
    return frozenset(below | set(job.workspace.layer.shared))


def list_object_places(job: Job) -> tuple[str, ...]:
    """Paths of the git object directories as the command sees them."""
    return tuple(f"{OBJECTS}/{index}" for index, _ in enumerate(job.git.objects)) if job.git is not None else ()


def _mount_system(*, network: bool) -> Iterator[Mount]:
    yield "/proc", ("--proc", "/proc")
    yield "/dev", ("--tmpfs", "/dev")
    for name in DEVICES:
        yield f"/dev/{name}", ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for path in (*SYSTEM, *(f"/etc/{name}" for name in (*ETC, *(NETWORK_ETC if network else ())))):
        yield from _mount_readable(path)
    for prefix in _list_prefixes():
        for part in PYTHON:
            yield from _mount_readable(str(prefix / part))
    yield from _mount_readable(str(LAUNCHER), place=SEEN_LAUNCHER)


def _mount_scratch(program: str, job: Job) -> Iterator[Mount]:
    yield SCRATCH, (*_limit_size(program, job), "--perms", "0555", "--tmpfs", SCRATCH)
    for name in ("work", "tmp", "shm") if job.workspace is None else ("home", "tmp", "shm"):
        yield f"{SCRATCH}/{name}", ("--perms", "1777", "--dir", f"{SCRATCH}/{name}")


def _mount_project(program: str, job: Job) -> Iterator[Mount]:
    if job.workspace is None:
        return
    place = find_work_place(job)
    if _is_needed(job.workspace.layer.project, job):
        raise SandboxError(f"A workspace cannot lie at {place}: commands need what the sandbox puts there")
    yield place, (*_make_parents(place), *_limit_size(program, job), "--perms", "0755", "--tmpfs", place)
    for name in job.workspace.layer.shared:
        yield from _mount_readable(str(job.workspace.layer.project / name))
    for path, seen in zip(job.git.objects if job.git else (), list_object_places(job), strict=True):
        yield from _mount_readable(str(path), place=seen)


def _is_needed(project: Path, job: Job) -> bool:
    """Whether the sandbox mounts something of its own at, above or below a path, except a Python installed below it."""
    own = [Path(path) for path, _ in _mount_system(network=job.network)]
    needed = [path for path in own if not any(map(path.is_relative_to, _list_prefixes()))]
    if any(path.is_relative_to(project) for path in (*needed, *map(Path, (TEMPORARY, *_RESERVED)))):
        return True
    is_moved = _follow_links(str(project)) != str(project)
    return not is_moved and any(map(project.is_relative_to, _RESERVED))


def _limit_size(program: str, job: Job) -> Sequence[str]:
    return ("--size", str(job.limits.disk_mb * MEGABYTE)) if _has_sizes(program) else ()


@lru_cache
def _has_sizes(program: str) -> bool:
    """Whether bwrap supports `--size` (from 0.7 on); otherwise the watch enforces the limit while the command runs."""
    try:
        helped = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return True
    return "--size" in helped.stdout


def _mount_readable(path: str, *, place: str = "") -> Iterator[Mount]:
    if Path(path).exists():
        place = place or _follow_links(path)
        yield place, (*_make_parents(place), "--ro-bind", path, place)


def _make_parents(place: str) -> Iterator[str]:
    for folder in reversed(Path(place).parents[:-1]):  # bwrap would create parents that only its own user can enter
        yield from ("--dir", str(folder))


def _follow_links(path: str) -> str:
    """Replace a link of the sandbox itself at the beginning of a path by its target."""
    for link in (TEMPORARY, SHARED_MEMORY):
        if path.startswith(f"{link}/"):
            return LINKS[link] + path.removeprefix(link)
    return path


def _list_prefixes() -> list[Path]:
    """Installation prefixes of this Python, with and without links resolved."""
    named = [Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)]
    every = dict.fromkeys((*named, *(prefix.resolve() for prefix in named)))
    return [prefix for prefix in every if not prefix.is_relative_to("/usr")]
