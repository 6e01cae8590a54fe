"""Named arrays in one memory-mapped file."""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError

_MAGIC = b"bottega\x01"
_OPENING = struct.Struct("<8sQ")
_ALIGNED = 64
_NAME = re.compile(r"[0-9a-f]{20}\.[a-z]+")
_KINDS = frozenset({"uint8", "uint16", "uint32", "uint64", "int32", "int64", "float32"})


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a temporary file and rename it, so that the file is complete or absent."""
    header, offset = {}, 0
    for name, array in arrays.items():
        header[name] = [str(array.dtype), len(array), offset]
        offset += -(-array.nbytes // _ALIGNED) * _ALIGNED
    spelt = json.dumps(header).encode()
    lead = -(-(_OPENING.size + len(spelt)) // _ALIGNED) * _ALIGNED
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    with beside.open("wb") as file:
        file.write((_OPENING.pack(_MAGIC, len(spelt)) + spelt).ljust(lead, b" "))
        for array in arrays.values():
            data = np.ascontiguousarray(array)
            file.write(data.data if data.nbytes else b"")
            file.write(b"\0" * (-data.nbytes % _ALIGNED))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def map_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays; raise `StorageError` for an incomplete file."""
    try:
        if not _NAME.fullmatch(path.name) or path.is_symlink():
            raise ValueError("not the name of a file of arrays")
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, length = _OPENING.unpack_from(mapped)
        if magic != _MAGIC or length > len(mapped):
            raise ValueError("not a file of arrays")
        header = json.loads(mapped[_OPENING.size : _OPENING.size + length])
        lead = -(-(_OPENING.size + length) // _ALIGNED) * _ALIGNED
        return {name: _read_array(mapped, lead, *place) for name, place in header.items()}
    except (
        *(OSError, ValueError, TypeError, KeyError, AttributeError),
        *(OverflowError, RecursionError, struct.error),
    ) as error:
        raise StorageError(f"{path.name} is damaged: {error}", hint="`bottega index --rebuild` rebuilds it.") from error


def _read_array(mapped: mmap.mmap, lead: int, kind: str, count: int, offset: int) -> NDArray[Any]:
    if kind not in _KINDS or count < 0 or offset < 0:
        raise ValueError("an array of an unknown kind")
    return np.frombuffer(mapped, np.dtype(kind), count, lead + offset)
