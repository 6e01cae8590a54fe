"""Read files in batches. The scan does so itself for a small tree, and in processes of its own for a large one.

`python -m bottega.investigate.scan.worker` answers batches from standard input until it ends.
"""

from __future__ import annotations

import codecs
import marshal
import os
import re
import stat
from hashlib import sha256
from typing import Any, NamedTuple

from bottega.cancellation import current_cancellation
from bottega.investigate.scan.entries import detect_entry_point
from bottega.investigate.scan.kinds import detect_type, identify
from bottega.investigate.scan.licences import find_licence, is_licence_file
from bottega.investigate.scan.lines import Pages, bound, count_pages
from bottega.investigate.scan.secrets import find_secrets_at, find_suspects
from bottega.source.text import decode

DIGEST = 16
WHOLE = 32_000_000
_SAMPLE = 65_536
_TOGETHER = 1_000_000
_MANY_LINES = 1000
_MOST_ORDERS = 50
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_IGNORE = re.compile(
    rb"(?i)ignore\s{1,20}(?:(?:all|any|every)\s{1,20})?(?:of\s{1,20})?(?:(?:the|your|these)\s{1,20})?"
    rb"(?:previous|prior|above|earlier|preceding)\s{1,20}(?:instruction|prompt|message|rule|direction)"
)
_IN_IGNORE = frozenset((b"g", b"n", b"G", b"N"))
_ORDERS = re.compile(
    rb"(?i)\bcall\s+(?:the\s+)?(?:tool\s+)?flag\b.{0,40}\bcritical|\b(?:call|invoke|use)\b.{0,40}\bsubmit_report\b"
)


class Task(NamedTuple):
    """A file to read. `executable` is whether its owner may run it."""

    path: str
    name: str
    language: str
    size: int
    executable: bool


class BatchResult(NamedTuple):
    """Digests in the order of the tasks, lines by language, and facts: (number of the task, kind, ...).

    `code` are the lines of code of each file by language, as task, lines, task, lines, …
    """

    digests: bytes
    languages: dict[str, list[int]]
    code: dict[str, list[int]]
    facts: list[tuple[Any, ...]]


def read_batch(tasks: list[tuple[Any, ...]]) -> BatchResult:
    """What was read of all tasks."""
    batch = _Batch()
    for place, task in enumerate(tasks):
        current_cancellation().check()
        batch.take(place, Task(*task))
    batch.look()
    return BatchResult(bytes(batch.digests), batch.languages, batch.code, batch.told)


class _Batch:
    """Texts are grouped by language: scanning many together costs little more than scanning one."""

    def __init__(self) -> None:
        self.digests = bytearray()
        self.languages: dict[str, list[int]] = {}
        self.code: dict[str, list[int]] = {}
        self.told: list[tuple[Any, ...]] = []
        self._aside: dict[str, list[tuple[int, bytes]]] = {}

    def take(self, place: int, task: Task) -> None:
        try:
            data, digest = _read_content(task.path)
        except (OSError, ValueError) as error:
            self.digests += b"\0" * DIGEST
            self.told.append((place, "unread", getattr(error, "strerror", "") or "cannot be read"))
            return
        self.digests += digest
        language = task.language
        if not language and identify(task.name).category is None:
            words, category = detect_type(data[:512])
            language = _detect_script_language(data) if words == "script" else ""
            self.told.append((place, "type", words, category, language))
        data = _normalize_encoding(data)
        if not data or b"\0" in data[:8192]:
            return
        if len(data) < task.size and task.size > WHOLE:
            self.told.append((place, "sampled"))
        if licence := find_licence(task.name, data):
            self.told.append((place, "licence", licence, is_licence_file(task.name)))
        if entry := detect_entry_point(task.name, language, data, executable=task.executable):
            self.told.append((place, "entry", entry))
        self._aside.setdefault(language, []).append((place, data))

    def look(self) -> None:
        for language, texts in self._aside.items():
            part: list[tuple[int, bytes]] = []
            size = 0
            for place, data in texts:
                part.append((place, data))
                size += len(data)
                if size > _TOGETHER:
                    self._look_at(language, part)
                    part, size = [], 0
            if part:
                self._look_at(language, part)

    def _look_at(self, language: str, texts: list[tuple[int, bytes]]) -> None:
        pages = bound([data for _, data in texts])
        if language:
            self._count(language, pages, texts)
        found = find_suspects(pages.text)
        for owner, offsets in pages.by_file(found.orders):
            place, data = texts[owner]
            self._report_orders(place, data, offsets)
        for owner, offsets in pages.by_file(found.secrets):
            place, data = texts[owner]
            for secret in find_secrets_at(data, offsets):
                self.told.append((place, "secret", secret.line, secret.kind))

    def _count(self, language: str, pages: Pages, texts: list[tuple[int, bytes]]) -> None:
        counted = count_pages(pages, language)
        sums = [len(texts), sum(len(data) for _, data in texts), *map(sum, zip(*counted, strict=True))]
        known = self.languages.get(language, [0] * len(sums))
        self.languages[language] = [old + new for old, new in zip(known, sums, strict=True)]
        code = self.code.setdefault(language, [])
        for (place, _), lines in zip(texts, counted, strict=True):
            code += (place, lines.code)
            if sum(lines) > _MANY_LINES:
                self.told.append((place, "lines", sum(lines)))

    def _report_orders(self, place: int, data: bytes, offsets: list[int]) -> None:
        lines: set[int] = set()
        for offset in offsets:
            if data[offset : offset + 1] in _IN_IGNORE:
                found = _IGNORE.match(data, max(0, offset - 1)) or _IGNORE.match(data, max(0, offset - 2))
            else:
                found = _ORDERS.search(data, max(0, offset - 100), offset + 100)
            if found:
                lines.add(data.count(b"\n", 0, found.start()) + 1)
                if len(lines) == _MOST_ORDERS:
                    break
        self.told.extend((place, "order", line) for line in sorted(lines))


def _read_content(path: str) -> tuple[bytes, bytes]:
    """A file's bytes, its beginning alone when it is long, and a digest; a link, pipe or device is not read."""
    handle = os.open(path, _FLAGS)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no longer a file")
        if status.st_size > WHOLE:
            return _needs_sampling(handle, status)
        data = os.read(handle, status.st_size + 1)
        if len(data) < status.st_size or len(data) > status.st_size:
            data = _read_rest(handle, data)
        return data, sha256(data).digest()[:DIGEST]
    finally:
        os.close(handle)


def _normalize_encoding(data: bytes) -> bytes:
    """Without the mark of its encoding; what is UTF-16 or UTF-32 as UTF-8."""
    if data.startswith(codecs.BOM_UTF8):
        return data[3:]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return (decode(data) or "").encode("utf-8", "replace")
    return data


def _read_rest(handle: int, data: bytes) -> bytes:
    parts, size = [data], len(data)
    while size < WHOLE and (more := os.read(handle, 1 << 20)):
        parts.append(more)
        size += len(more)
    return b"".join(parts)


def _needs_sampling(handle: int, status: os.stat_result) -> tuple[bytes, bytes]:
    size = status.st_size
    digest = sha256(str(size).encode())
    head = os.read(handle, _SAMPLE)
    digest.update(head)
    if hasattr(os, "pread"):
        for offset in (size // 2, size - _SAMPLE):
            digest.update(os.pread(handle, _SAMPLE, offset))
    return head, digest.digest()[:DIGEST]


def _detect_script_language(data: bytes) -> str:
    from bottega.source.roles import language_of_text

    return language_of_text("", "", data[:200].decode("utf-8", "replace"))


def main() -> None:
    from bottega.source.processes import end_with_parent
    from bottega.source.serving import serve

    end_with_parent()
    serve(lambda message: marshal.dumps(tuple(read_batch(marshal.loads(message)))))  # noqa: S302 - from our own parent process


if __name__ == "__main__":
    main()
