"""The process that reads files: a grammar that crashes or hangs takes down this one, not the index.

The values of `.env` files come first on standard input as a JSON line, then orders, one JSON line each; every answer is
a length, a JSON line and an analysis. Each file has a budget of processor time, which ends the process by `OVERTIME`,
and the process one of memory.
"""

from __future__ import annotations

import json
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1, sha256
from pathlib import Path
from typing import IO, Any

from bottega.index.analyse import Analysis, analyse
from bottega.index.analyse.budget import MEMORY, OverBudgetError, seconds_for
from bottega.index.analyse.codec import encode
from bottega.index.classify import LARGEST, RANKED, Role, language_of_text, role_of_text
from bottega.index.decode import decode
from bottega.index.processes import end_with_the_parent, limit_memory
from bottega.index.queries import questions
from bottega.source.files import FileTooLarge, read_regular_file
from bottega.source.secrets import Masker

LENGTH = struct.Struct("<II")
OVERTIME = getattr(signal, "SIGPROF", None)


def main() -> None:
    end_with_the_parent()
    limit_memory(MEMORY)
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


def read(path: Path, *, below: Path | None = None) -> bytes:
    """A regular file's bytes, never those behind a link; `FileTooLarge` for more than the largest that is analysed."""
    return read_regular_file(path, limit=LARGEST, below=below)


def _answer(root: Path, order: dict[str, Any], mask: Masker) -> tuple[dict[str, Any], bytes]:
    path, role = order["path"], Role(order["role"])
    try:
        data = read(root / path, below=root)
    except FileTooLarge:
        return {"error": f"is larger than {LARGEST:,} bytes", "role": Role.LARGE}, b""
    except OSError as error:
        return {"error": error.strerror or "cannot be read"}, b""
    facts: dict[str, Any] = {"hash": content_hash(data), "blob": blob_hash(data), "language": order["language"]}
    facts["masking"] = masking_key(mask, data, path)
    text = decode(data)
    if text is None:
        return {**facts, "role": Role.BINARY}, b""
    language = language_of_text(order["language"], path, text)
    facts |= {"role": role_of_text(role, path, text), "language": language}
    if facts["role"] not in RANKED:
        return facts, b""
    questions(language)  # loading a grammar is not the file's fault
    with _limited_time(seconds_for(len(data))):
        analysis, reason = _analysed(mask(text, path=path), language, as_text=order["as_text"])
        return {**facts, "reason": reason}, encode(analysis)


def _analysed(text: str, language: str, *, as_text: bool) -> tuple[Analysis, str]:
    """The analysis, and why it is one of plain text where the file is over its budget."""
    if not as_text:
        try:
            return analyse(text, language), ""
        except OverBudgetError as error:
            reason = str(error)
        except MemoryError:
            reason = "needs too much memory"
        except RecursionError:
            reason = "nests too deeply"
        return analyse(text, language, as_text=True), reason
    return analyse(text, language, as_text=True), ""


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    """End this process when it has used so much processor time; no handler of ours would interrupt a grammar."""
    if OVERTIME is None:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def masking_key(mask: Masker, data: bytes, path: str) -> str:
    return mask.key_of((decode(data) or "") if len(data) <= LARGEST else "", path)


def _send(answers: IO[bytes], facts: dict[str, Any], data: bytes) -> None:
    line = json.dumps(facts).encode()
    answers.write(LENGTH.pack(len(line), len(data)) + line + data)
    answers.flush()


if __name__ == "__main__":
    main()
