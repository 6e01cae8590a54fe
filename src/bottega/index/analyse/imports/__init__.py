"""Parse import statements by language; the grammar has found the statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from bottega.index.analyse.imports.dotted import csharp, elixir, haskell, java, kotlin, scala, swift
from bottega.index.analyse.imports.ecmascript import ecmascript
from bottega.index.analyse.imports.nested import php, rust
from bottega.index.analyse.imports.python import python
from bottega.index.analyse.imports.quoted import bash, c, go, lua, ruby, zig
from bottega.index.analyse.values import Import

ImportedName = tuple[str, str, str]  # module, name, alias
_READERS: dict[str, Callable[[str], Iterable[ImportedName]]] = {
    "Python": python,
    "JavaScript": ecmascript,
    "TypeScript": ecmascript,
    "TSX": ecmascript,
    "Vue": ecmascript,
    "Svelte": ecmascript,
    "Java": java,
    "Kotlin": kotlin,
    "Scala": scala,
    "C#": csharp,
    "Swift": swift,
    "Haskell": haskell,
    "Elixir": elixir,
    "Rust": rust,
    "PHP": php,
    "C": c,
    "C++": c,
    "Objective-C": c,
    "Go": go,
    "Ruby": ruby,
    "Lua": lua,
    "Zig": zig,
    "Bash": bash,
}
_LONGEST = 10_000
_MOST = 500
# No real path is longer; longer input only costs time.
_LONGEST_PATH = 500
_BLANKS = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"(?: ?\n ?)+")


def read_imports(language: str, statements: Iterable[tuple[int, str]]) -> Iterator[Import]:
    """The names that each statement imports; a statement comes with its line."""
    reader = _READERS.get(language)
    if reader is None:
        return
    for line, text in statements:
        for module, name, alias in islice(reader(_collapse_blanks(text[:_LONGEST])), _MOST):
            if module and max(len(module), len(name), len(alias)) <= _LONGEST_PATH:
                yield Import(module, name, alias or name or re.split(r"[./:\\]+", module)[-1], line)


def _collapse_blanks(text: str) -> str:
    """Collapse blanks: regexes backtrack on long runs."""
    return _BLANK_LINES.sub("\n", _BLANKS.sub(" ", text))
