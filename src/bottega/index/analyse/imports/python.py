"""`import a.b as c, d` and `from ..x import (y as z, w)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FROM = re.compile(r"from\s*([.\w\s]+?)\s*\bimport\b\s*\(?(.*?)\)?\s*$", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*|\\\n")
_ITEM = re.compile(r"\s*([\w.]+|\*)(?:\s+as\s+(\w+))?\s*$")


def python(text: str) -> Iterator[tuple[str, str, str]]:
    text = _COMMENT.sub(" ", text).strip()
    found = _FROM.match(text)
    if found:
        module = re.sub(r"\s", "", found[1])
        for name, alias in _items(found[2]):
            yield module, name, alias
    else:
        for module, alias in _items(text.removeprefix("import")):
            # `import a.b` binds `a`, but uses name `a.b`: the receiver is what precedes the last dot
            yield module, "", alias or module


def _items(text: str) -> Iterator[tuple[str, str]]:
    for item in text.split(","):
        found = _ITEM.match(item)
        if found:
            yield found[1], found[2] or ""
