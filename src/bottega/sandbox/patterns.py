"""Patterns for paths: `*` and `?` stay inside one name, `**` stands for any directories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bottega.errors import InputError

_LONGEST = 500


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Matches a path that any one of the patterns matches as a whole."""

    patterns: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def parse(cls, patterns: Sequence[str]) -> PathPatterns:
        """Raise `InputError` for a pattern that leaves the directory."""
        for pattern in patterns:
            if not pattern or pattern.startswith("/") or ".." in pattern.split("/") or len(pattern) > _LONGEST:
                raise InputError(f"Pattern {pattern[:80]!r} leaves the work directory or is too long")
        return cls(tuple(tuple(part for part in pattern.split("/") if part != ".") for pattern in patterns))

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def match(self, path: str) -> bool:
        names = path.split("/")
        return any(_match(names, pattern) for pattern in self.patterns)


def _match(names: Sequence[str], pattern: Sequence[str]) -> bool:
    """Only the last `**` is retried, so the time is bounded by the product of both lengths."""
    at = step = 0
    widened = None
    while at < len(names):
        if step < len(pattern) and pattern[step] == "**":
            widened = (at, step)
            step += 1
        elif step < len(pattern) and fnmatchcase(names[at], pattern[step]):
            at, step = at + 1, step + 1
        elif widened is not None:
            widened = (widened[0] + 1, widened[1])
            at, step = widened[0], widened[1] + 1
        else:
            return False
    return all(part == "**" for part in pattern[step:])
