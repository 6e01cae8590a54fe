"""The worker process that analyses files: a grammar that crashes or hangs ends this process, not the indexing run.

Input is a message with the values of `.env` files, then one for each file, all in JSON; every answer is a line of JSON
and an analysis. A file that exceeds its processor time ends the process with `OVERTIME`; memory is limited for the
whole process.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from bottega.index.analyse import Analysis
from bottega.index.analyse.budget import MEMORY, OverBudgetError, compute_time_limit
from bottega.index.analyse.codec import encode
from bottega.index.analyse.file import analyse
from bottega.index.queries import load_queries
from bottega.source.files import FileTooLarge
from bottega.source.processes import end_with_parent, limit_memory
from bottega.source.roles import RANKED, Role, language_of_text, role_of_text
from bottega.source.secrets import Masker
from bottega.source.serving import receive_message, serve
from bottega.source.text import LARGEST, decode, read_source

OVERTIME = getattr(signal, "SIGPROF", None)


def main() -> None:
    end_with_parent()
    limit_memory(MEMORY)
    root = Path(sys.argv[1])
    mask = Masker(**json.loads(receive_message() or b"{}"))
    serve(lambda message: _join(*_answer(root, json.loads(message), mask)))


def split_answer(message: bytes) -> tuple[dict[str, Any], bytes]:
    """The facts about a file and its encoded analysis."""
    line, _, data = message.partition(b"\n")
    return json.loads(line), data


def content_hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def blob_hash(data: bytes) -> str:
    """The git object id of these bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _answer(root: Path, task: dict[str, Any], mask: Masker) -> tuple[dict[str, Any], bytes]:
    path, role = task["path"], Role(task["role"])
    try:
        data = read_source(root / path, below=root)
    except FileTooLarge:
        return {"error": f"is larger than {LARGEST:,} bytes", "role": Role.LARGE}, b""
    except OSError as error:
        return {"error": error.strerror or "cannot be read"}, b""
    facts: dict[str, Any] = {"hash": content_hash(data), "blob": blob_hash(data), "language": task["language"]}
    facts["masking"] = masking_key(mask, data, path)
    text = decode(data)
    if text is None:
        return {**facts, "role": Role.BINARY}, b""
    language = language_of_text(task["language"], path, text)
    facts |= {"role": role_of_text(role, path, text), "language": language}
    if facts["role"] not in RANKED:
        return facts, b""
    load_queries(language)  # loaded before the limit is set: loading a grammar is not charged to the file
    with _limit_time(compute_time_limit(len(data))):
        analysis, reason = _analyse(mask(text, path=path), language, as_text=task["as_text"])
        return {**facts, "reason": reason}, encode(analysis)


def _analyse(text: str, language: str, *, as_text: bool) -> tuple[Analysis, str]:
    """The analysis, and the reason if it is one of plain text because the file exceeds its limits."""
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
def _limit_time(seconds: float) -> Iterator[None]:
    """End this process after so much processor time; a Python signal handler could not interrupt a grammar."""
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


def _join(facts: dict[str, Any], data: bytes) -> bytes:
    return b"%b\n%b" % (json.dumps(facts).encode(), data)


if __name__ == "__main__":
    main()
