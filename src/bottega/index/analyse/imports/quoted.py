"""Languages whose imports name a file or a path in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

ImportedName = tuple[str, str, str]
_INCLUDE = re.compile(r"#\s*(?:include(?:_next)?|import)\s*(?:\"([^\"\n]{1,500})\"|<([^>\n]{1,500})>)")
_GO = re.compile(r"(?:(?<![\w.])([\w.]++)\s+)?[\"`]([^\"`\n]+)[\"`]")
_GO_VERSION = re.compile(r"/v\d+$")
_RUBY = re.compile(r"(require_relative|require|load|autoload)\b[^'\"]{0,200}['\"]([^'\"\n]+)['\"]")
_LUA = re.compile(
    r"(?:(?<![\w.])(?:local\s+)?([\w.]++)\s*=\s*)?\b(?:require|dofile|loadfile)\b\s*\(?\s*['\"\[]+([^'\"\]\n]+)"
)
_ZIG = re.compile(r"(?:(?:const|var)\s+(\w+)[^=@]{0,200}=\s*)?@import\(\"([^\"\n]+)\"\)(?:[\w.]*\.(\w+))?")
_BASH = re.compile(r"^\s*(?:source|\.)\s+(.*)", re.DOTALL)
# A path, alone or after the variable or the command that gives its directory.
_BASH_PATH = re.compile(r"(?:^|[\"'\s)}`~]|\$\w+)(/?[\w.+@][\w.+@/-]*)(?=[\"'\s]|$)")


def c(text: str) -> Iterator[ImportedName]:
    found = _INCLUDE.search(text)
    if found:
        yield (found[1] or f"<{found[2]}>"), "*", "*"


def go(text: str) -> Iterator[ImportedName]:
    for alias, path in _GO.findall(text):
        yield path, "", alias or _GO_VERSION.sub("", path).rsplit("/", 1)[-1]


def ruby(text: str) -> Iterator[ImportedName]:
    found = _RUBY.search(text)
    if found:
        yield (f"./{found[2]}" if found[1] == "require_relative" else found[2]), "*", "*"


def lua(text: str) -> Iterator[ImportedName]:
    found = _LUA.search(text)
    if found:
        yield found[2], "", (found[1] or "").split(".")[-1]


def zig(text: str) -> Iterator[ImportedName]:
    found = _ZIG.search(text)
    if found:
        yield found[2], found[3] or "", found[1] or ""


def bash(text: str) -> Iterator[ImportedName]:
    """`$HERE/lib.sh` and `$(dirname "$0")/lib.sh` are resolved as `lib.sh`."""
    found = _BASH.search(text)
    paths = _BASH_PATH.findall(found[1]) if found else []
    path = next((path for path in paths if "/" in path or "." in path), "")
    if path.strip("/."):
        yield path.lstrip("/"), "*", "*"
