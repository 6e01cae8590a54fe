r"""Languages whose imports open braces: `use a::{b, c::{d as e, self}}`, `use A\{B, C as D}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

ImportedName = tuple[str, str, str]
_MOD = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;?\s*$")
_USE = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?(?:extern\s+crate|use)\s+(.*?);?\s*$", re.DOTALL)
_PHP_USE = re.compile(r"use\s+(?:function\s+|const\s+)?(.*?);?\s*$", re.DOTALL)
_PHP_FILE = re.compile(r"(?:require|include)(?:_once)?\b[^'\"]{0,500}['\"]([^'\"]+)['\"]")
_DEEPEST = 20


def rust(text: str) -> Iterator[ImportedName]:
    module = _MOD.search(text)
    if module:
        yield f"mod::{module[1]}", "", module[1]
        return
    found = _USE.search(re.sub(r"//[^\n]*", " ", text))
    if found:
        yield from _expand("", re.sub(r"\s+", " ", found[1]).strip(), "::")


def php(text: str) -> Iterator[ImportedName]:
    path = _PHP_FILE.search(text)
    if path:
        yield path[1].lstrip("/"), "*", "*"  # `__DIR__ . '/lib.php'` begins with the folder's slash
        return
    found = _PHP_USE.search(text)
    if found:
        yield from _expand("", re.sub(r"\s+", " ", found[1]).strip(), "\\")


def _expand(prefix: str, text: str, separator: str, depth: int = 0) -> Iterator[ImportedName]:
    if depth > _DEEPEST:
        return
    for item in _split(text):
        head, brace, rest = item.partition("{")
        if brace:
            yield from _expand(prefix + head.strip(), rest.rstrip().removesuffix("}"), separator, depth + 1)
        else:
            yield from _leaf(prefix, item, separator)


def _leaf(prefix: str, item: str, separator: str) -> Iterator[ImportedName]:
    path, _, alias = (part.strip() for part in item.partition(" as "))
    if path == "self":
        path = ""
    whole = (prefix + path).removesuffix(separator)
    module, _, name = whole.rpartition(separator)
    if name == "*":
        yield module, "*", "*"
    elif name:
        yield module or name, name if module else "", alias or name


def _split(text: str) -> Iterator[str]:
    """Split at commas outside braces."""
    depth, start = 0, 0
    for at, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()
