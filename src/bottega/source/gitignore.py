"""Which paths the patterns of an ignore file exclude, as git decides it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from bottega.source.wildmatch import NeverMatches, translate_name, translate_path

# Every path is matched against every pattern in force. Public repositories stay far below these limits.
MAX_PATTERNS = 3_000
_MAX_PATTERN_LENGTH = 1_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class IgnorePatterns:
    """The patterns of one ignore file. Paths are relative to its directory; a directory's path ends in a slash."""

    names: re.Pattern[str] | None
    """All patterns without a slash as one regex, the last pattern first. They match the last segment of a path."""
    name_positions: tuple[int, ...]
    """The position in the file of the pattern behind each group of `names`."""
    paths: re.Pattern[str] | None
    path_positions: tuple[int, ...]
    excludes: tuple[bool, ...]
    """For each pattern whether it excludes; one that begins with `!` includes."""
    is_truncated: bool
    """Whether the file holds more than `MAX_PATTERNS`."""

    def match(self, path: str) -> bool | None:
        """True if the last matching pattern excludes the path, False if it includes it, `None` if none matches.

        Directories above the path are not considered: git decides about each of them first.
        """
        return self._decision(self._position(_decode_bytes(path)))

    def match_with_parents(self, path: str) -> bool | None:
        """Like `match`; a path that no pattern matches is decided by the last pattern that matches one above it."""
        path = _decode_bytes(path)
        position = self._position(path)
        if position < 0:
            position = max(map(self._position, _list_parents(path)), default=-1)
        return self._decision(position)

    def excludes_directory(self, path: str) -> bool:
        """Whether a directory, given with its closing slash, or one above it is excluded."""
        path = _decode_bytes(path)
        return any(self._decision(self._position(folder)) for folder in (*_list_parents(path), path))

    @property
    def has_inclusion(self) -> bool:
        return not all(self.excludes)

    def _position(self, path: str) -> int:
        by_path = self.paths.match(path) if self.paths is not None else None
        by_name = self.names.match(path, path.rfind("/", 0, -1) + 1) if self.names is not None else None
        return max(
            self.path_positions[(by_path.lastindex or 0) - 1] if by_path is not None else -1,
            self.name_positions[(by_name.lastindex or 0) - 1] if by_name is not None else -1,
        )

    def _decision(self, position: int) -> bool | None:
        return self.excludes[position] if position >= 0 else None


def parse_patterns(data: bytes) -> IgnorePatterns:
    """Parse an ignore file. A pattern that git would never match, such as one with an open bracket, is skipped."""
    lines = data.removeprefix(_BYTE_ORDER_MARK).decode("latin-1").split("\n")
    patterns: list[_Pattern] = []
    for line in lines:
        pattern = _parse_line(line)
        if pattern is not None:
            patterns.append(pattern)
        if len(patterns) > MAX_PATTERNS:
            break
    used = patterns[:MAX_PATTERNS]
    names = [position for position, pattern in enumerate(used) if not pattern.has_slash][::-1]
    paths = [position for position, pattern in enumerate(used) if pattern.has_slash][::-1]
    return IgnorePatterns(
        _join_regexes(used[position].regex for position in names),
        tuple(names),
        _join_regexes(used[position].regex for position in paths),
        tuple(paths),
        tuple(pattern.excludes for pattern in used),
        len(patterns) > MAX_PATTERNS,
    )


def parse_pattern_lines(lines: Iterable[str]) -> IgnorePatterns:
    """The same for patterns that a person or a setting gives one by one."""
    return parse_patterns("\n".join(lines).encode("utf-8", "surrogateescape"))


def is_valid_pattern(line: str) -> bool:
    """Whether a line is a pattern that can match something; a blank line or a comment is none."""
    return bool(line.strip()) and "\n" not in line and _parse_line(line) is not None


class _Pattern(NamedTuple):
    regex: str
    has_slash: bool
    excludes: bool


def _parse_line(line: str) -> _Pattern | None:
    line = _strip_spaces(line.removesuffix("\r"))
    if line.startswith("#") or len(line) > _MAX_PATTERN_LENGTH:
        return None
    excludes = not line.startswith("!")
    glob = line if excludes else line[1:]
    needs_directory = glob.endswith("/")
    glob = glob.removesuffix("/")
    has_slash = "/" in glob
    try:
        regex = translate_path(glob.removeprefix("/")) if has_slash else translate_name(glob)
    except NeverMatches:
        return None
    return _Pattern(regex + ("/" if needs_directory else "/?"), has_slash, excludes)


def _strip_spaces(line: str) -> str:
    """Without trailing spaces, except one that a backslash quotes."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return f"{stripped} " if len(stripped) < len(line) and backslashes % 2 else stripped


def _join_regexes(regexes: Iterable[str]) -> re.Pattern[str] | None:
    """One regex for all; the empty group at the end of each alternative tells which of them matched."""
    alternatives = "|".join(rf"{regex}\Z()" for regex in regexes)
    return re.compile(alternatives, re.DOTALL) if alternatives else None


def _list_parents(path: str) -> list[str]:
    """The directories above a path, each with its closing slash."""
    return [path[: at + 1] for at, char in enumerate(path[:-1]) if char == "/"]


def _decode_bytes(path: str) -> str:
    """One character for each byte of a path, because `?` matches one byte."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("latin-1")
