"""Examples in the documentation: fenced `console` blocks with `$ commands` and what a terminal shows.

A fenced block with a title, such as ```yaml title="team/house.yaml", is a file that the examples after it find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_FILE = re.compile(r'^```\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.M | re.S)
_VARYING = (
    (re.compile(r"\d+\.\d+ s\b"), "0.0 s"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?"), "TIME"),
    (re.compile(r"\b\d+ \+ \d+ tokens"), "N tokens"),
)


@dataclass(frozen=True)
class Example:
    """Consecutive commands of one block, run in one directory; `expected` is by command. `files` stand before it."""

    page: str
    line: int
    commands: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...] = ()

    def write_files(self, place: Path) -> None:
        for name, text in self.files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: Path, name: str) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        commands: list[tuple[str, str]] = []
        for line in block.group(1).splitlines(keepends=True):
            if line.startswith("$ "):
                commands.append((line[2:].strip(), ""))
            else:
                command, shown = commands[-1]
                commands[-1] = (command, shown + line)
        files = tuple((found["path"], found["text"]) for found in _FILE.finditer(text, 0, block.start()))
        yield Example(name, text.count("\n", 0, block.start()) + 1, tuple(commands), files)


def read_files(page: Path) -> dict[str, str]:
    """The files that a page shows, by their titles."""
    return {found["path"]: found["text"] for found in _FILE.finditer(page.read_text(encoding="utf-8"))}


def normal(text: str) -> str:
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return text


def matches(expected: str, shown: str) -> bool:
    """`…` stands for anything within or across lines."""
    parts = [re.escape(part) for part in normal(expected).split("…")]
    return re.fullmatch(".*?".join(parts), normal(shown), re.S) is not None
