"""Check the files for a command: names stay inside its directory, text becomes bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath

from bottega.errors import InputError

LONGEST_NAME = 255


def check_files(files: Mapping[str, str]) -> dict[PurePosixPath, bytes]:
    """Contents by path. Raise `InputError` for a name that leaves the directory or conflicts with another name."""
    checked: dict[PurePosixPath, bytes] = {}
    for name, text in files.items():
        path = check_name(name)
        if path in checked:
            raise InputError(f"File name {name!r} clashes with another one")
        checked[path] = encode_text(text)
    folders = {folder for path in checked for folder in path.parents}
    for path in checked:
        if path in folders:
            raise InputError(f"File name {str(path)!r} clashes with another one")
    return checked


def encode_text(text: str) -> bytes:
    """Bytes that were read with `surrogateescape` come back as they were; any other lone surrogate becomes `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def check_name(name: str) -> PurePosixPath:
    """The path of a file below the work directory; raise `InputError` for any other."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise InputError(f"File name {name!r} leaves the sandbox", hint="Name files relative to the work dir.")
    try:
        longest = max(len(os.fsencode(part)) for part in path.parts)
    except UnicodeEncodeError as error:
        raise InputError(f"File name {name!r} cannot be written to disk") from error
    if longest > LONGEST_NAME or len(name) > 4 * LONGEST_NAME:
        raise InputError(f"File name {name[:80]!r}… is too long")
    return path
