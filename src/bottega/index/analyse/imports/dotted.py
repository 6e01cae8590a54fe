"""Languages whose imports are dotted names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

ImportedName = tuple[str, str, str]
_JAVA = re.compile(r"import\s+(?:static\s+)?([\w.]+?)\.(\w+|\*)\s*;?\s*$")
# The grammar includes the comment below a Kotlin import in the import.
_KOTLIN = re.compile(r"import\s+([\w.`]+?)(?:\.(\w+|`[^`]+`|\*))?(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?=[;\r\n/]|$)")
_SCALA = re.compile(r"([\w.`]+?)\.(\{.*\}|[\w`]+|\*|given)(?:\s+as\s+(\w+))?\s*$", re.DOTALL)
_SCALA_COMMA = re.compile(r",(?![^{}]{0,1000}+\})")
_CSHARP = re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.:]+)")
_SWIFT = re.compile(r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+(\w+)\.)?([\w.]+)")
_HASKELL = re.compile(
    r"\bimport\s+(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s+)?([\w.']+)(?:\s+qualified)?"
    r"(?:\s+as\s+([\w.']+))?\s*(?:(hiding)\s*)?(\(.*\))?\s*$",
    re.DOTALL,
)
_ELIXIR = re.compile(r"(?:alias|import|require|use)[\s(]+([\w.]+?)(?:\.\{([^}]*)\})?(?:\s*,\s*as:\s*([\w.]+))?[\s,)]*$")
_ELIXIR_LOOSE = re.compile(r"(?:alias|import|require|use)[\s(]+([A-Z][\w.]*)")


def java(text: str) -> Iterator[ImportedName]:
    found = _JAVA.search(text)
    if found:
        yield found[1], found[2], found[2]


def kotlin(text: str) -> Iterator[ImportedName]:
    found = _KOTLIN.search(text)
    if found:
        name = (found[2] or "").strip("`")
        yield found[1], name, found[3] or name


def scala(text: str) -> Iterator[ImportedName]:
    for path in _SCALA_COMMA.split(text.strip().removeprefix("import")):
        found = _SCALA.match(path.strip())
        if found:
            yield from ((found[1], name, found[3] or alias) for name, alias in _scala_names(found[2]))


def _scala_names(text: str) -> Iterator[tuple[str, str]]:
    """`{A, B => C, D as E, *, given F}`, or one of them without braces."""
    for item in text.strip("{}").split(","):
        name, _, alias = (part.strip(" \t\r\n`") for part in re.sub(r"\bas\b", "=>", item).partition("=>"))
        if name.split(" ")[0] in {"_", "*", "given"}:
            yield "*", "*"
        elif name and alias != "_":
            yield name, alias or name


def csharp(text: str) -> Iterator[ImportedName]:
    found = _CSHARP.search(text)
    if not found:
        return
    alias, path = found[1], found[2].removeprefix("global::")
    if alias:
        module, _, name = path.rpartition(".")
        yield module or path, name if module else "", alias
    else:
        yield path, "*", "*"


def swift(text: str) -> Iterator[ImportedName]:
    found = _SWIFT.search(text)
    if found:
        module, name = found[1] or found[2], found[2] if found[1] else "*"
        yield module, name, name


def haskell(text: str) -> Iterator[ImportedName]:
    found = _HASKELL.search(text)
    if not found:
        return
    module, alias, hiding, names = found[1], found[2], found[3], found[4]
    yield module, "", alias or module
    if names and not hiding:
        for name in re.findall(r"[A-Za-z_][\w']*", names):  # those of `Store (Empty, size)` as well
            yield module, name, name
    elif not re.search(r"\bqualified\b", text[: found.end(2) if alias else found.end()]):
        yield module, "*", "*"


def elixir(text: str) -> Iterator[ImportedName]:
    text = text.strip()
    found = _ELIXIR.match(text)
    if found:
        names = [name.strip() for name in (found[2] or "").split(",") if name.strip()]
        if names:
            yield from _elixir_modules((f"{found[1]}.{name}", "") for name in names)
        else:
            yield from _elixir_modules([(found[1], found[3] or "")])
    elif loose := _ELIXIR_LOOSE.match(text):
        yield from _elixir_modules([(loose[1], "")])
    if text.startswith(("import", "use")) and (loose := _ELIXIR_LOOSE.match(text)):
        yield loose[1], "*", "*"


def _elixir_modules(named: Iterable[tuple[str, str]]) -> Iterator[ImportedName]:
    """A module is imported under the last part of its name or an alias."""
    for module, alias in named:
        yield module, module, alias or module.split(".")[-1]
