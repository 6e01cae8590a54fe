"""Read source files as text in any encoding; binary content is `None`."""

from __future__ import annotations

import codecs
from pathlib import Path

from bottega.source.files import read_regular_file

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Larger files are listed, and not read.
LARGEST = 2_000_000
_SAMPLE = 8192
_MOST_CONTROL = 0.05
_CONTROL = bytes(set(range(32)) - {8, 9, 10, 12, 13, 27})


def is_text(text: str) -> bool:
    """Whether text can be encoded: lone surrogates, which come from invalid UTF-8, cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_source(path: Path, *, below: Path | None = None) -> bytes:
    """A regular file's bytes, never those behind a link; raise `FileTooLarge` for more than `LARGEST` of them."""
    return read_regular_file(path, limit=LARGEST, below=below)


def read_text(path: Path, *, below: Path | None = None) -> str | None:
    """The text of a source file, `None` for binary content; raise `OSError` for what `read_source` does not read."""
    return decode(read_source(path, below=below))


def decode(data: bytes) -> str | None:
    """The text, or `None` for binary content. What is not UTF-8 is read as Latin-1, which never fails."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    sample = data[:_SAMPLE]
    if b"\0" in sample or _is_noise(sample):
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _is_noise(sample: bytes) -> bool:
    return len(sample) - len(sample.translate(None, _CONTROL)) > len(sample) * _MOST_CONTROL
