"""Languages whose imports are dotted names."""

from __future__ import annotations

import re
from collections.abc import Iterator

Brought = tuple[str, str, str]
_JAVA = re.compile(r"import\s+(?:static\s+)?([\w.]+?)\.(\w+|\*)\s*;?\s*$")
_KOTLIN = re.compile(r"import\s+([\w.`]+?)(?:\.(\w+|`[^`]+`|\*))?(?:\s+as\s+(\w+))?\s*;?\s*$")
_SCALA = re.compile(r"import\s+([\w.]+?)\.(\{.*\}|\w+|\*|_|given)\s*$", re.DOTALL)
_CSHARP = re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.:]+)")
_SWIFT = re.compile(r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)")
_HASKELL = re.compile(
    r"import\s+(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s+)?([\w.']+)(?:\s+qualified)?"
    r"(?:\s+as\s+([\w.']+))?\s*(?:(hiding)\s*)?(\(.*\))?\s*$",
    re.DOTALL,
)
_ELIXIR = re.compile(r"(?:alias|import|require|use)[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*as:\s*([\w.]+))?[\s,)]*$")
_ELIXIR_LOOSE = re.compile(r"(?:alias|import|require|use)[\s(]+([A-Z][\w.]*)")


def java(text: str) -> Iterator[Brought]:
    found = _JAVA.search(text)
    if found:
        yield found[1], found[2], found[2]


def kotlin(text: str) -> Iterator[Brought]:
    found = _KOTLIN.search(text)
    if found:
        name = (found[2] or "").strip("`")
        yield found[1], name, found[3] or name


def scala(text: str) -> Iterator[Brought]:
    found = _SCALA.search(text)
    if not found:
        return
    module, rest = found[1], found[2]
    for item in rest.strip("{}").split(","):
        name, _, alias = (part.strip() for part in re.sub(r"\bas\b", "=>", item).partition("=>"))
        if name in {"_", "*", "given"}:
            yield module, "*", "*"
        elif name:
            yield module, name, alias or name


def csharp(text: str) -> Iterator[Brought]:
    found = _CSHARP.search(text)
    if found:
        alias = found[1] or ""
        yield found[2].removeprefix("global::"), "" if alias else "*", alias or "*"


def swift(text: str) -> Iterator[Brought]:
    found = _SWIFT.search(text)
    if found:
        yield found[1], "*", "*"


def haskell(text: str) -> Iterator[Brought]:
    found = _HASKELL.search(text)
    if not found:
        return
    module, alias, hiding, names = found[1], found[2], found[3], found[4]
    yield module, "", alias or module
    if names and not hiding:
        for name in re.findall(r"[\w']+", re.sub(r"\([^()]*\)", " ", names[1:-1])):
            yield module, name, name
    else:
        yield module, "*", "*"


def elixir(text: str) -> Iterator[Brought]:
    text = text.strip()
    found = _ELIXIR.match(text)
    if found:
        names = [name.strip() for name in (found[2] or "").split(",") if name.strip()]
        if names:
            yield from ((f"{found[1]}.{name}", "", name.split(".")[-1]) for name in names)
        else:
            yield found[1], "", found[3] or found[1].split(".")[-1]
    elif loose := _ELIXIR_LOOSE.match(text):
        yield loose[1], "", loose[1].split(".")[-1]
    if text.startswith(("import", "use")) and (loose := _ELIXIR_LOOSE.match(text)):
        yield loose[1], "*", "*"
