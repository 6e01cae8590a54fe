"""What a model may do while it investigates: look, write down, and come to an end. No tool changes the target."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.index.analyse.codec import decode as decode_analysis
from bottega.index.analyse.values import Symbol
from bottega.index.classify import Role
from bottega.index.decode import decode, is_text
from bottega.index.readers import Order, read_files
from bottega.investigate.confined import Outside, content, opened, steps
from bottega.investigate.scan.kinds import identify, type_of
from bottega.investigate.scan.walking import NEVER, Bounds, Options
from bottega.investigate.units import named

LARGEST = 4_000_000
MOST_LISTED = 300
_MOST_HITS, _LONGEST_HIT = 60, 200
_MOST_SEARCHED_FILES, _MOST_SEARCHED_BYTES = 3000, 80_000_000
_MOST_SYMBOLS, _MOST_IMPORTS = 60, 30
_SHORTEST_QUOTE = 3
_LONGEST_PATH, _LONGEST_LINE = 4096, 2000
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Extract:
    """Lines of a file, numbered as they are shown. `cut` says that there is more of it than was asked for."""

    path: str
    first: int
    last: int
    lines: int
    text: str
    bytes: int
    cut: bool
    digest: str


class Looking:
    """Tools that only look, confined to a target and to what the scan looked into."""

    def __init__(self, target: Path, options: Options, mask: Callable[[str], str] = str) -> None:
        self._target = target
        self._mask = mask
        self._bounds = Bounds(target, options)
        self._lock = threading.Lock()

    def masked(self, text: str) -> str:
        return self._mask(text)

    def path(self, said: Any, base: str) -> str:
        """The path below the target that a model means: from the target, or from the directory it works in."""
        if not isinstance(said, str) or not said.strip():
            raise InputError("path is missing", hint="Name a file or a directory.")
        if len(said) > _LONGEST_PATH:
            raise InputError(f"a path of {len(said)} characters is none")
        text = said.strip().replace("\\", "/")
        if text != said and (exact := self._as_it_stands(said, base)):
            return exact
        root = str(self._target).rstrip("/")
        if text == root or text.startswith(f"{root}/"):
            text = text[len(root) :].lstrip("/")
        direct, nested = "/".join(steps(text)), "/".join(steps(f"{base}{text}"))
        chosen = direct
        if base and nested != direct:
            # A name alone is one of the directory at work, as its listing shows them; a way begins at the target.
            first, second = (nested, direct) if "/" not in text.strip("/") else (direct, nested)
            chosen = first if self._exists(first) or not self._exists(second) else second
        self._refuse_left_out(chosen)
        return chosen

    def _as_it_stands(self, said: str, base: str) -> str:
        """A name may begin with a space or hold a backslash; "" when none does that is meant here."""
        for text in (f"{base}{said}", said):
            path = "/".join(steps(text)) if not text.startswith("/") else ""
            if path and self._exists(path):
                self._refuse_left_out(path)
                return path
        return ""

    def extract(self, path: str, first: int, last: int, most: int) -> Extract:
        """Lines of a file, at most so many characters of them."""
        lines, data, status = self._lines(path)
        if lines is None:
            words, _ = type_of(data[:512])
            raise InputError(f"{path} is not text: {words}, {status.st_size} bytes")
        first = max(1, first)
        if last and last < first:
            raise InputError(f"last ({last}) is before first ({first})")
        if first > len(lines) and lines:
            raise InputError(f"{path} has {len(lines)} lines, so there is no line {first}")
        shown: list[str] = []
        room, is_cut = most, False
        for number, line in enumerate(lines[first - 1 : last or None], first):
            told = f"{number}: {line[:_LONGEST_LINE]}"
            is_cut = is_cut or len(line) > _LONGEST_LINE
            if len(told) + 1 > room and shown:
                break
            shown.append(told[:room] if len(told) > room else told)
            room -= len(told) + 1
        end = first + len(shown) - 1
        size = sum(len(line[:_LONGEST_LINE].encode("utf-8", "replace")) + 1 for line in lines[first - 1 : end])
        is_cut = is_cut or end < min(last or len(lines), len(lines)) or status.st_size > len(data)
        digest = sha256(data).hexdigest() if status.st_size <= len(data) else ""
        return Extract(path, first, end, len(lines), "\n".join(shown), min(size, status.st_size), is_cut, digest)

    def is_name(self, name: str, base: str) -> bool:
        """Whether something is called so in a directory or at the top, be it left out or a link."""
        return any(os.path.lexists(self._target / above / name) for above in {base, ""})

    def beginning(self, path: str, most: int) -> str:
        """At most so many characters of a text, without numbers; "" of what is none."""
        lines, _, _ = self._lines(path)
        return "\n".join(lines or ())[:most]

    def find_line(self, path: str, quote: str, near: int) -> dict[str, Any]:
        """Where a quote stands in a text, the place nearest to a line; line 0 when it stands nowhere."""
        try:
            lines, _, status = self._lines(path)
        except Outside:
            with opened(self._target, path):  # a directory is there, and is no text
                return {"is_text": False, "line": 0, "text": ""}
        wanted = " ".join(quote.split())
        is_text = lines is not None and status.st_size > 0
        if not is_text or lines is None or len(wanted) < _SHORTEST_QUOTE:
            return {"is_text": is_text, "line": 0, "text": ""}
        found = [number for number, line in enumerate(lines, 1) if wanted in " ".join(line.split())]
        place = min(found, key=lambda number: abs(number - near)) if found else 0
        return {"is_text": True, "line": place, "text": lines[place - 1].strip() if place else ""}

    def _lines(self, path: str) -> tuple[list[str] | None, bytes, os.stat_result]:
        """The lines of a text with its secrets masked, `None` for what is no text."""
        data, status = content(self._target, path, LARGEST)
        text = decode(data)
        return None if text is None else self._masked_lines(text), data, status

    def _masked_lines(self, text: str) -> list[str]:
        """The whole is masked before any part of it is shown: a key is known by its first line."""
        lines = self._mask(text).split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    def list_directory(self, path: str, *, show_hidden: bool = True) -> str:
        with opened(self._target, path) as handle:
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                raise InputError(f"{path} is a file", hint="Use read_file.")
            names = sorted(name for name in os.listdir(handle) if is_text(name) and name != NEVER)
            names = [name for name in names if not self._is_left_out(f"{path}/{name}" if path else name)]
            told = [self._line(handle, name) for name in names if show_hidden or not name.startswith(".")]
        if len(told) > MOST_LISTED:
            told = [*told[:MOST_LISTED], f"… and {len(told) - MOST_LISTED} more"]
        return "\n".join(told) or "(empty)"

    def stat(self, path: str) -> str:
        with opened(self._target, path) as handle:
            status = os.fstat(handle)
        when = _day(status.st_mtime)
        kind = "directory" if stat.S_ISDIR(status.st_mode) else identify(path.rpartition("/")[2]).language or "file"
        mode = f"{stat.S_IMODE(status.st_mode):o}"
        return f"{named(path) or '.'}: {kind}, {status.st_size} bytes, modified {when}, mode {mode}"

    def search_text(self, wanted: str, path: str) -> str:
        """Lines that hold a text, in any case; files in the order of their paths."""
        if len(wanted) < 2 or len(wanted) > 200:
            raise InputError("text must have 2 to 200 characters")
        needle = wanted.lower()
        hits: list[str] = []
        files = size = 0
        for found in self._files(path):
            files += 1
            if files > _MOST_SEARCHED_FILES or size > _MOST_SEARCHED_BYTES:
                hits.append("… the search ended here: there is more than can be searched at once")
                break
            try:
                data, _ = content(self._target, found, LARGEST)
            except Outside:
                continue
            size += len(data)
            text = decode(data)
            if text is None or needle not in text.lower():
                continue
            for number, line in enumerate(self._masked_lines(text), 1):
                if needle in line.lower():
                    hits.append(f"{named(found)}:{number}: {line.strip()[:_LONGEST_HIT]}")
                    if len(hits) >= _MOST_HITS:
                        return "\n".join([*hits, "… more lines match"])
        return "\n".join(hits) or "(nothing found)"

    def structures(self, paths: list[str]) -> dict[str, str]:
        """What each of these files defines and imports, read by a process that may die over it."""
        orders = [
            Order(path, identify(path.rpartition("/")[2]).language, Role.CODE)
            for path in paths
            if identify(path.rpartition("/")[2]).language and self._exists(path)
        ]
        return {
            answer.order.path: _outlined(answer.data) if not answer.error and answer.data else ""
            for answer in read_files(self._target, orders, workers=1, patience_s=_PATIENCE_S)
        }

    def _line(self, handle: int, name: str) -> str:
        try:
            status = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except OSError as error:
            return f"{named(name)} ({error.strerror})"
        if stat.S_ISDIR(status.st_mode):
            return f"{named(name)}/"
        if stat.S_ISLNK(status.st_mode):
            return f"{named(name)} (link)"
        known = identify(name)
        return f"{named(name)} ({status.st_size} bytes, {known.language or known.category or 'unknown'})"

    def _exists(self, path: str) -> bool:
        try:
            with opened(self._target, path):
                return True
        except InputError:
            return False

    def _files(self, path: str) -> list[str]:
        found: list[str] = []
        pending = [path]
        while pending and len(found) <= _MOST_SEARCHED_FILES:
            here = pending.pop()
            try:
                with opened(self._target, here) as handle:
                    if not stat.S_ISDIR(os.fstat(handle).st_mode):
                        found.append(here)
                        continue
                    for name in sorted(os.listdir(handle), reverse=True):
                        below = f"{here}/{name}" if here else name
                        if name != NEVER and is_text(name) and not self._is_left_out(below):
                            status = os.stat(name, dir_fd=handle, follow_symlinks=False)
                            if stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode):
                                pending.append(below)
            except (InputError, OSError):
                continue
        return found

    def _is_left_out(self, path: str) -> bool:
        with self._lock:
            return self._bounds.leave_out(path)

    def _refuse_left_out(self, path: str) -> None:
        if self._is_left_out(path):
            raise Outside(f"{path[:200]} is left out of this investigation")


def _day(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return "at no date"


def _outlined(data: bytes) -> str:
    found = decode_analysis(data)
    lines = [f"{found.lines} lines"]
    if found.imports:
        names = list(dict.fromkeys(one.module or one.name for one in found.imports))
        lines.append("imports " + ", ".join(names[:_MOST_IMPORTS]) + _more(len(names), _MOST_IMPORTS))
    told = [
        f"{'  ' if symbol.parent >= 0 else ''}{_headed(symbol)} (line {symbol.first})"
        for symbol in found.symbols[:_MOST_SYMBOLS]
    ]
    return "\n".join([*lines, *(one[:200] for one in told)]) + _more(len(found.symbols), _MOST_SYMBOLS)


def _headed(symbol: Symbol) -> str:
    """As its source begins; with its kind where that does not tell it."""
    head = " ".join(symbol.signature.split()).rstrip(" :{") or symbol.name
    return head if symbol.kind in head.split() or symbol.kind in {"function", "method"} else f"{symbol.kind} {head}"


def _more(count: int, most: int) -> str:
    return f" … and {count - most} more" if count > most else ""
