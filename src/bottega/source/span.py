"""A span: consecutive lines of one file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bottega.errors import InputError

# Nine digits are more lines than any file has, and fewer than `int` refuses to read.
_PRINTED = re.compile(r"(?P<path>.+):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?", re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Consecutive lines of one file, counted from 1, both ends included."""

    path: str
    first: int
    last: int

    def __post_init__(self) -> None:
        if not self.path:
            raise InputError("a span needs a path", hint="Write it as path:first-last.")
        if self.first < 1:
            raise InputError(f"{self} starts before line 1", hint="Lines are counted from 1.")
        if self.last < self.first:
            raise InputError(f"{self} ends before it starts", hint="Write it as path:first-last.")

    def __str__(self) -> str:
        lines = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"

    @classmethod
    def parse(cls, text: str) -> Span:
        """Parse what `str` prints; the path may contain colons."""
        match = _PRINTED.fullmatch(text)
        if match is None:
            raise InputError(f"{text!r} is not a span", hint="Write it as path:first-last, or path:line.")
        first = int(match["first"])
        return cls(match["path"], first, int(match["last"] or first))

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a line."""
        return self.path == other.path and self.first <= other.last and other.first <= self.last
