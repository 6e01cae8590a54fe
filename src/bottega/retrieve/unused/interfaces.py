"""Methods that an interface asks for, in the repository or well known outside of it."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bottega.index import SymbolRow

_INTERFACES = frozenset({"interface", "trait", "protocol"})
_ABSTRACT = re.compile(r"\b(?:Protocol|ABC|ABCMeta|abstract)\b")
_SELF = re.compile(r"^(?:&?\s*(?:'\w+\s+)?(?:mut\s+)?self|cls)\b")
_OPTIONAL = re.compile(r"=|^\w+\?|^[*/]$")
_REST = re.compile(r"^\*\w|^\*\*|\.\.\.|^params\b|^vararg\b")
_OPEN, _CLOSE = "([{<", ")]}>"

# Methods that libraries call on what implements their interfaces, with how many arguments they pass.
_OUTSIDE: Mapping[str, Mapping[str, frozenset[int]]] = {
    language: {name: frozenset(map(int, counts)) for name, _, counts in (word.partition("/") for word in words.split())}
    for languages, words in (
        (
            "Python",
            """read/01 read1/01 readinto/1 readinto1/1 readline/01 readlines/01 readall/0 write/1 writelines/1 flush/0
            close/0 seek/12 tell/0 truncate/01 fileno/0 isatty/0 readable/0 writable/0 seekable/0 detach/0 emit/1
            format/1 filter/1 handle/1 run/0 keys/0 values/0 items/0 get/12 pop/12 update/1 send/1 throw/1 default/1
            encode/12 decode/12 convert/3 find_spec/3 find_module/12 load_module/1 create_module/1 exec_module/1""",
        ),
        (
            "Go",
            """FilterValue/0 Height/0 Spacing/0 Render/4 Update/12 View/0 Init/0 ShortHelp/0 FullHelp/0 Title/0
            Description/0 Type/0 IsBoolFlag/0 Handle/2 Enabled/2 WithAttrs/1 WithGroup/1 Network/0 Timeout/0
            Temporary/0 Begin/0 Commit/0 Rollback/0 Prepare/1 Exec/1 Query/1 Draw/1 Bounds/0 At/2 ColorModel/0 RGBA/0
            Sum/1 Reset/0 BlockSize/0 Flush/0 Header/0 WriteHeader/1 Hijack/0 Key/0""",
        ),
        (
            "Java Kotlin Scala Groovy",
            """equals/1 hashCode/0 compareTo/1 compare/2 run/0 call/0 get/0 accept/12 apply/12 test/12 close/0
            iterator/0 hasNext/0 next/0 clone/0 finalize/0 actionPerformed/1""",
        ),
        ("C#", "Dispose/0 DisposeAsync/0 Equals/12 GetHashCode/01 CompareTo/1 Compare/2 GetEnumerator/0 Clone/0"),
        (
            "JavaScript TypeScript TSX Vue Svelte",
            """toJSON/01 valueOf/0 next/01 return/01 throw/01 then/12 handleEvent/1 connectedCallback/0 render/0
            disconnectedCallback/0 adoptedCallback/0 attributeChangedCallback/3 ngOnInit/0 ngOnDestroy/0 ngOnChanges/1
            transform/12 start/1 pull/1 cancel/1 flush/1 write/2 close/0 abort/1""",
        ),
        ("Swift", "encode/1 hash/1 makeIterator/0 next/0 callAsFunction/0"),
    )
    for language in languages.split()
}


class Arity(NamedTuple):
    """How many arguments a call may pass."""

    least: float
    most: float

    def fits(self, other: Arity) -> bool:
        return self.least <= other.most and other.least <= self.most


class Interfaces:
    """The methods that interfaces, traits and protocols of the repository declare."""

    def __init__(self, symbols: Iterable[SymbolRow]) -> None:
        listed = list(symbols)
        types = {symbol.id for symbol in listed if _is_interface(symbol)}
        self._declared: dict[str, list[tuple[int, Arity]]] = defaultdict(list)
        for symbol in listed:
            if symbol.parent_id in types and "(" in symbol.signature:
                self._declared[symbol.name].append((symbol.id, count_arguments(symbol)))

    def declare(self, symbol: SymbolRow, language: str) -> bool:
        """Whether an interface asks for a method of this name that takes as many arguments."""
        if symbol.kind != "method":
            return False
        arity = count_arguments(symbol)
        outside = _OUTSIDE.get(language, {}).get(symbol.name, frozenset())
        return any(arity.fits(Arity(count, count)) for count in outside) or any(
            number != symbol.id and arity.fits(declared) for number, declared in self._declared.get(symbol.name, ())
        )


def count_arguments(symbol: SymbolRow) -> Arity:
    """Counted in the signature; any number where that has no list of parameters, or is cut."""
    match = re.search(rf"(?<!\w){re.escape(symbol.name)}\s*(?:[<\[][^()]*[>\]])?\s*\(", symbol.signature)
    parameters = _split(symbol.signature[match.end() :]) if match else None
    if parameters is None:
        return Arity(0, math.inf)
    named = [parameter for parameter in parameters if not _SELF.match(parameter) and parameter not in {"*", "/"}]
    if any(_REST.search(parameter) for parameter in named):
        return Arity(0, math.inf)
    return Arity(sum(not _OPTIONAL.search(parameter) for parameter in named), len(named))


def _is_interface(symbol: SymbolRow) -> bool:
    return symbol.kind in _INTERFACES or (symbol.kind == "class" and bool(_ABSTRACT.search(symbol.signature)))


def _split(text: str) -> list[str] | None:
    """The parameters up to the closing parenthesis; `None` where there is none."""
    depth, at, parts = 0, 0, list[str]()
    for number, letter in enumerate(text):
        if letter in _OPEN:
            depth += 1
        elif depth and letter in _CLOSE:
            depth -= text[number - 1] not in "-=" or letter != ">"
        elif not depth and letter in ",)":
            parts.append(text[at:number].strip())
            at = number + 1
            if letter == ")":
                return [part for part in parts if part]
    return None
