"""The memory, cores and GPUs of this machine; nothing is written or downloaded to find them."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bottega.models.providers.threads import count_cores
from bottega.source.programs import find_program

_SECONDS = 5
_MEBIBYTE = 1 << 20
_LONGEST_NAME = 80
_MOST_GPUS = 64
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_QUERY = ("--query-gpu=name,memory.total", "--format=csv,noheader,nounits")
_CONTROL_GROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True, slots=True)
class Gpu:
    name: str
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Machine:
    """`memory_bytes` is `None` where the system does not tell; `shares_memory` where the GPU uses the same memory."""

    memory_bytes: int | None
    cores: int
    gpus: tuple[Gpu, ...] = ()
    shares_memory: bool = False

    @property
    def gpu_bytes(self) -> int:
        return sum(gpu.memory_bytes for gpu in self.gpus)

    @property
    def has_gpu(self) -> bool:
        return self.shares_memory or bool(self.gpus)


def inspect_machine(outside: Path | None = None) -> Machine:
    """Look at the machine; `nvidia-smi` is not run from below `outside`, the repository."""
    is_apple = platform.system() == "Darwin" and platform.machine() == "arm64"
    gpus = () if is_apple else tuple(_list_nvidia_gpus(outside))
    return Machine(_measure_memory(), count_cores(), gpus, shares_memory=is_apple)


def _measure_memory() -> int | None:
    """Physical memory, or the limit of the container where that is lower."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None
    return min([physical, *_read_limits()]) if physical > 0 else None


def _read_limits() -> Iterator[int]:
    for file in _CONTROL_GROUPS:
        try:
            text = file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if text.isdigit() and int(text) > 0:
            yield int(text)


def _list_nvidia_gpus(outside: Path | None) -> Iterator[Gpu]:
    program = find_program("nvidia-smi", outside=outside)
    if program is None:
        return
    try:
        told = subprocess.run([program, *_QUERY], capture_output=True, text=True, check=False, timeout=_SECONDS)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return
    for line in told.stdout.splitlines()[:_MOST_GPUS] if told.returncode == 0 else ():
        name, _, mebibytes = line.rpartition(",")
        if _COUNT.fullmatch(mebibytes.strip()):
            yield Gpu(name.strip()[:_LONGEST_NAME], int(mebibytes) * _MEBIBYTE)
