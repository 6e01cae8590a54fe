"""`import d, {a as b} from "m"`, `export … from "m"`, `const {a: b} = require("m")`, `import("m")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MODULE = re.compile(r"(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*[\"'`]([^\"'`\n]+)[\"'`]")
_CLAUSE = re.compile(r"^\s*(?:import|export)\s+(?:type\s+|typeof\s+)?(.*?)\s*\bfrom\b", re.DOTALL)
_REQUIRED = re.compile(r"^\s*(?:(?:const|let|var)\s+)?(\{[^}]*\}|[\w$]+)\s*=\s*", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*+)\}", re.DOTALL)
_WHOLE = re.compile(r"\*\s*as\s+([\w$]+)")
_WORD = re.compile(r"[\w$]+")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)


def ecmascript(text: str) -> Iterator[tuple[str, str, str]]:
    found = _MODULE.search(text)
    if not found:
        return
    module = found[1]
    clause = _clause(_COMMENT.sub(" ", text[: found.end()]))
    if not clause:
        yield module, "", ""
        return
    yield from ((module, name, alias) for name, alias in _names(clause))


def _clause(text: str) -> str:
    found = _CLAUSE.match(text) or _REQUIRED.match(text)
    return found[1] if found else ""


def _names(clause: str) -> Iterator[tuple[str, str]]:
    braces = _BRACES.search(clause)
    if braces:
        for item in braces[1].split(","):
            words = [word for word in _WORD.findall(item) if word not in {"as", "type"}]
            if words:
                yield words[0], words[-1]
    outside = _BRACES.sub(" ", clause)
    whole = _WHOLE.search(outside)
    if whole:
        yield "", whole[1]
        outside = _WHOLE.sub(" ", outside)
    elif "*" in outside:
        yield "*", "*"
    for word in _WORD.findall(outside):
        yield "default", word
