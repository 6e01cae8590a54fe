"""Read-only access to the files of a target: what the scan leaves out cannot be read either."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.investigate.scan.exclusions import Exclusions, Options
from bottega.investigate.scan.kinds import detect_type
from bottega.source.confined import OutsideRoot, open_below, read_below, split_path
from bottega.source.text import decode

MAX_FILE_BYTES = 4_000_000
_MIN_QUOTE_CHARS = 3
_MAX_PATH_CHARS, _MAX_LINE_CHARS = 4096, 2000


@dataclass(frozen=True, slots=True)
class FileExcerpt:
    """Numbered lines of a file. `cut` is true when more was asked for than is shown."""

    path: str
    first: int
    last: int
    lines: int
    text: str
    bytes: int
    cut: bool
    digest: str


class TargetFiles:
    """The files below a target, secrets masked. Safe to use from several threads."""

    def __init__(self, root: Path, options: Options, mask: Callable[[str], str] = str) -> None:
        self.root = root
        self.mask = mask
        self._exclusions = Exclusions(root, options)
        self._lock = threading.Lock()

    def resolve(self, written: Any, base: str) -> str:
        """The path below the target that a model means, written from the target or from the directory `base`."""
        if not isinstance(written, str) or not written.strip():
            raise InputError("path is missing", hint="Name a file or a directory.")
        if len(written) > _MAX_PATH_CHARS:
            raise InputError(f"a path of {len(written)} characters is none")
        text = written.strip().replace("\\", "/")
        if text != written and (exact := self._resolve_exactly(written, base)):
            return exact
        root = str(self.root).rstrip("/")
        if text == root or text.startswith(f"{root}/"):
            text = text[len(root) :].lstrip("/")
        direct, nested = "/".join(split_path(text)), "/".join(split_path(f"{base}{text}"))
        chosen = direct
        if base and nested != direct:
            # A bare name is looked up in `base` first, as listings show it; a path with slashes at the target first.
            first, second = (nested, direct) if "/" not in text.strip("/") else (direct, nested)
            chosen = first if self.exists(first) or not self.exists(second) else second
        self._refuse_excluded(chosen)
        return chosen

    def _resolve_exactly(self, written: str, base: str) -> str:
        """A path whose name has outer spaces or backslashes; "" when no such file exists."""
        for text in (f"{base}{written}", written):
            path = "/".join(split_path(text)) if not text.startswith("/") else ""
            if path and self.exists(path):
                self._refuse_excluded(path)
                return path
        return ""

    def exists(self, path: str) -> bool:
        try:
            with open_below(self.root, path):
                return True
        except InputError:
            return False

    def has_name(self, name: str, base: str) -> bool:
        """Whether `base` or the target has an entry of this name, even an excluded one or a symbolic link."""
        return any(os.path.lexists(self.root / parent / name) for parent in {base, ""})

    def is_excluded(self, path: str) -> bool:
        with self._lock:
            return self._exclusions.is_excluded(path)

    def _refuse_excluded(self, path: str) -> None:
        if self.is_excluded(path):
            raise OutsideRoot(f"{path[:200]} is left out of this investigation")

    def read_excerpt(self, path: str, first: int, last: int, max_chars: int) -> FileExcerpt:
        """Lines `first` to `last` of a text file, as many as fit; `last` 0 means to the end."""
        lines, data, status = self._read_lines(path)
        if lines is None:
            kind, _ = detect_type(data[:512])
            raise InputError(f"{path} is not text: {kind}, {status.st_size} bytes")
        first = max(1, first)
        if last and last < first:
            raise InputError(f"last ({last}) is before first ({first})")
        if first > len(lines) and lines:
            raise InputError(f"{path} has {len(lines)} lines, so there is no line {first}")
        shown = _number_lines(lines, first, last, max_chars)
        end = first + len(shown) - 1
        excerpt = lines[first - 1 : end]
        size = sum(len(line[:_MAX_LINE_CHARS].encode("utf-8", "replace")) + 1 for line in excerpt)
        has_long_line = any(len(line) > _MAX_LINE_CHARS for line in excerpt)
        is_whole = status.st_size <= len(data)
        is_cut = has_long_line or end < min(last or len(lines), len(lines)) or not is_whole
        digest = sha256(data).hexdigest() if is_whole else ""
        return FileExcerpt(path, first, end, len(lines), "\n".join(shown), min(size, status.st_size), is_cut, digest)

    def read_beginning(self, path: str, max_chars: int) -> str:
        """The first characters of a text file; "" when it is not text."""
        lines, _, _ = self._read_lines(path)
        return "\n".join(lines or ())[:max_chars]

    def find_quote(self, path: str, quote: str, near: int) -> dict[str, Any]:
        """The line that holds a quote, the one nearest to line `near`; line 0 when none does."""
        try:
            lines, _, status = self._read_lines(path)
        except OutsideRoot:
            with open_below(self.root, path):  # a directory exists, and is not text
                return {"is_text": False, "line": 0, "text": ""}
        wanted = " ".join(quote.split())
        is_text = lines is not None and status.st_size > 0
        if not is_text or lines is None or len(wanted) < _MIN_QUOTE_CHARS:
            return {"is_text": is_text, "line": 0, "text": ""}
        matches = [number for number, line in enumerate(lines, 1) if wanted in " ".join(line.split())]
        line = min(matches, key=lambda number: abs(number - near)) if matches else 0
        return {"is_text": True, "line": line, "text": lines[line - 1].strip() if line else ""}

    def mask_lines(self, text: str) -> list[str]:
        """The lines of a whole text: masking sees all of it, because a key is recognised by its first line."""
        lines = self.mask(text).split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    def _read_lines(self, path: str) -> tuple[list[str] | None, bytes, os.stat_result]:
        """The masked lines, `None` when the file is not text; its first bytes, and its status."""
        data, status = read_below(self.root, path, MAX_FILE_BYTES)
        text = decode(data)
        return None if text is None else self.mask_lines(text), data, status


def _number_lines(lines: list[str], first: int, last: int, max_chars: int) -> list[str]:
    """Lines with their numbers, as many as fit; the first is shown in part when it alone does not fit."""
    shown: list[str] = []
    for number, line in enumerate(lines[first - 1 : last or None], first):
        numbered = f"{number}: {line[:_MAX_LINE_CHARS]}"
        if len(numbered) + 1 > max_chars and shown:
            break
        shown.append(numbered[:max_chars] if len(numbered) > max_chars else numbered)
        max_chars -= len(numbered) + 1
    return shown
