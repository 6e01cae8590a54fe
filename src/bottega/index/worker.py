"""The process that reads files: a grammar that crashes or hangs takes down this one, not the index.

The values of `.env` files come first on standard input as a JSON line, then orders, one JSON line each; every answer is
a length, a JSON line and an analysis.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from hashlib import sha1, sha256
from pathlib import Path
from typing import IO, Any

from bottega.index.analyse import analyse
from bottega.index.analyse.codec import encode
from bottega.index.classify import LARGEST, RANKED, Role, language_of_text, role_of_text
from bottega.index.decode import decode
from bottega.index.processes import end_with_the_parent
from bottega.source.secrets import Masker

LENGTH = struct.Struct("<II")


def main() -> None:
    end_with_the_parent()
    root = Path(sys.argv[1])
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    mask = Masker(**json.loads(orders.readline()))
    for line in orders:
        order = json.loads(line)
        facts, data = _answer(root, order, mask)
        _send(answers, facts, data)


def content_hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def blob_hash(data: bytes) -> str:
    """The name git gives to these bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def read(path: Path) -> bytes:
    """A regular file's bytes, never those behind a link, never more than the largest that is analysed."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read(LARGEST + 1)


def _answer(root: Path, order: dict[str, Any], mask: Masker) -> tuple[dict[str, Any], bytes]:
    path, role = order["path"], Role(order["role"])
    try:
        data = read(root / path)
    except OSError as error:
        return {"error": error.strerror or "cannot be read"}, b""
    facts: dict[str, Any] = {"hash": content_hash(data), "blob": blob_hash(data), "language": order["language"]}
    facts["masking"] = masking_key(mask, data, path)
    if len(data) > LARGEST:
        return {**facts, "role": Role.LARGE}, b""
    text = decode(data)
    if text is None:
        return {**facts, "role": Role.BINARY}, b""
    language = language_of_text(order["language"], path, text)
    facts |= {"role": role_of_text(role, path, text), "language": language}
    if facts["role"] not in RANKED:
        return facts, b""
    return facts, encode(analyse(mask(text, path=path), language, as_text=order["as_text"]))


def masking_key(mask: Masker, data: bytes, path: str) -> str:
    return mask.key_of((decode(data) or "") if len(data) <= LARGEST else "", path)


def _send(answers: IO[bytes], facts: dict[str, Any], data: bytes) -> None:
    line = json.dumps(facts).encode()
    answers.write(LENGTH.pack(len(line), len(data)) + line + data)
    answers.flush()


if __name__ == "__main__":
    main()
