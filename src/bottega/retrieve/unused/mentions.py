"""Where the names of candidates stand in the files of the repository, whatever the language of the file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bottega.index import File, SymbolRow
from bottega.source.roles import Role
from bottega.source.text import read_text

_WORD = re.compile(r"[^\W\d][\w]*[?!]?")
# A name is built from a prefix where the prefix stands alone in some text: `"visit_" + kind`, `f"do_{verb}"`.
_PREFIX = re.compile(r"^_*[^\W\d_]+_(?=.)|^[a-z]+(?=[A-Z])")
_QUOTES = frozenset("\"'`")


@dataclass
class Mentions:
    """How often each name stands in code, tests and other files outside of its definition.

    `built` holds prefixes of names that stand in a string alone. `lines` holds the lines of files with candidates.
    """

    by_role: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    built: set[str] = field(default_factory=set)
    lines: dict[str, Sequence[str]] = field(default_factory=dict)

    def count(self, name: str, role: str) -> int:
        return self.by_role[role].get(name, 0)

    def find_prefix(self, name: str) -> str:
        """The prefix from which a name may be built at run time; "" where none stands in a string."""
        match = _PREFIX.match(name)
        return match[0] if match and match[0] in self.built else ""


def collect_mentions(
    root: Path, files: Sequence[File], symbols: Iterable[SymbolRow], on_file: Callable[[int, int], None]
) -> Mentions:
    """Read every file once. The lines on which a symbol is defined do not mention it; its own body does not, either."""
    own: dict[str, list[SymbolRow]] = defaultdict(list)
    names: set[str] = set()
    for symbol in symbols:
        own[symbol.path].append(symbol)
        names.add(symbol.name)
    prefixes = {match[0] for name in names if (match := _PREFIX.match(name))}
    found = Mentions()
    for done, file in enumerate(files, 1):
        on_file(done, len(files))
        text = _read(root, file.path)
        if file.path in own:
            found.lines[file.path] = text.split("\n")
        _count(text, _simplify(file.role), names, own.get(file.path, ()), found)
        found.built |= {prefix for prefix in prefixes - found.built if _is_built(prefix, text)}
    return found


def _count(text: str, role: str, names: set[str], own: Sequence[SymbolRow], found: Mentions) -> None:
    odd = [name for name in names if not _WORD.fullmatch(name) and name in text]
    if not odd and not names & set(_WORD.findall(text)):
        return
    inside: Mapping[str, list[SymbolRow]] = defaultdict(list)
    for symbol in own:
        inside[symbol.name].append(symbol)
    counts = found.by_role[role]
    for number, line in enumerate(text.split("\n"), 1):
        for name in (*names.intersection(_WORD.findall(line)), *(name for name in odd if name in line)):
            if not any(symbol.first <= number <= symbol.last for symbol in inside.get(name, ())):
                counts[name] += 1


def _is_built(prefix: str, text: str) -> bool:
    """Whether the prefix ends a string, or stands before a placeholder in one."""
    at = text.find(prefix)
    while at >= 0:
        after = text[at + len(prefix) : at + len(prefix) + 1]
        if after in _QUOTES or after in {"{", "%", "$", "#"}:
            return True
        at = text.find(prefix, at + 1)
    return False


def _simplify(role: str) -> str:
    return role if role in {Role.CODE, Role.TEST} else "other"


def _read(root: Path, path: str) -> str:
    try:
        return read_text(root / path, below=root) or ""
    except OSError:
        return ""
