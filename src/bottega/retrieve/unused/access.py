"""How far a symbol can be seen, and whether something else than a mention of its name can reach it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bottega.index import SymbolRow

# Decorators and attributes after which a definition is still reached by its name alone.
_HARMLESS = frozenset(
    """property staticmethod classmethod cached_property cache lru_cache wraps abstractmethod overload override final
    dataclass contextmanager asynccontextmanager total_ordering singledispatch deprecated typing no_type_check
    functools contextlib abc dataclasses Deprecated SuppressWarnings SafeVarargs FunctionalInterface Nullable NonNull
    NotNull Obsolete MethodImpl MethodImplAttribute inline must_use allow doc cfg cfg_attr derive track_caller cold deny
    discardableResult inlinable usableFromInline available MainActor JvmStatic JvmOverloads JvmField Suppress
    setter getter deleter tailrec inheritdoc""".split()
)
_DECORATOR = re.compile(r"^\s*(?:@|#\[|\[)\s*([\w.:]+)")
_SPECIAL = re.compile(
    r"__\w+__|main|Main|init|new|initialize|constructor|toString|__init|method_missing|setUp|tearDown"
)
# Methods of interfaces of the standard libraries, which are implemented without naming them.
_SPECIAL_IN = {
    "Go": frozenset(
        """Len Less Swap Push Pop String GoString Format Error Unwrap Is As Read Write Close Seek ReadAt WriteAt
        ReadFrom WriteTo ReadByte WriteByte ReadRune ServeHTTP RoundTrip MarshalJSON UnmarshalJSON MarshalText
        UnmarshalText MarshalBinary UnmarshalBinary MarshalYAML UnmarshalYAML Scan Value Lock Unlock Open Stat
        ReadDir Name Size Mode ModTime IsDir Sys Done Err Deadline Set""".split()
    ),
    "Ruby": frozenset("to_s to_str inspect each hash call included extended inherited prepended method_added".split()),
    "PHP": frozenset("jsonSerialize getIterator count offsetGet offsetSet offsetExists offsetUnset".split()),
    "C++": frozenset({"begin", "end", "swap", "hash"}),
}
_PRIVATE_WORD = re.compile(r"\b(?:private|fileprivate|static|internal|defp|defmacrop)\b")
_PUBLIC_WORD = re.compile(r"\b(?:pub|public|export|open|protected)\b")
_IMPL_FOR = re.compile(r"^\s*(?:unsafe\s+)?impl\b.*\bfor\b")
_IMPL = re.compile(r"^\s*(?:unsafe\s+)?impl\b")
_BASES = {
    "Python": re.compile(r"^class\s+\w+\s*(?:\[[^\]]*\])?\s*\((?!\s*(?:object\s*)?\))"),
    "Ruby": re.compile(r"^class\s+\S+\s*<"),
    "C#": re.compile(r":"),
    "Kotlin": re.compile(r":"),
    "Swift": re.compile(r":"),
    "C++": re.compile(r":(?!:)"),
}
_BASES_BY_WORD = re.compile(r"\b(?:extends|implements|with)\b")
# Languages in which a definition is private to its file or package unless it says otherwise, by their own words.
_PRIVATE_BY_NAME = frozenset({"Python", "Dart"})
_VALUES = frozenset({"constant", "variable"})
_STATIC_IS_PRIVATE = frozenset({"C", "C++"})
_PRIVATE_UNLESS_SAID = frozenset({"Rust", "JavaScript", "TypeScript", "TSX", "Zig", "C#"})


def find_decorators(symbol: SymbolRow, lines: Sequence[str]) -> list[str]:
    """Names of decorators, annotations and attributes over a definition that may register it somewhere."""
    found = []
    for number in (*range(symbol.first - 2, max(symbol.first - 6, -1), -1), *range(symbol.first - 1, symbol.last)):
        match = _DECORATOR.match(lines[number]) if number < len(lines) else None
        if match is None:
            if number >= symbol.first - 1:
                break
            continue
        parts = re.split(r"[.:]+", match[1])
        if not {parts[0], parts[-1]} & _HARMLESS:
            found.append(match[1])
    return found


def is_special(name: str, language: str) -> bool:
    """Whether the language, its runtime or its standard library calls a definition of this name by itself."""
    return bool(_SPECIAL.fullmatch(name)) or name in _SPECIAL_IN.get(language, ())


def is_private(symbol: SymbolRow, language: str, lines: Sequence[str]) -> bool:
    """Whether only code of the same repository can name a definition."""
    line = lines[symbol.first - 1] if symbol.first <= len(lines) else ""
    head = f"{line} {symbol.signature}"
    if language in _PRIVATE_BY_NAME:
        return symbol.name.startswith("_")
    if language == "Go":
        return not symbol.name[:1].isupper() or "/internal/" in f"/{symbol.path}"
    if language in _STATIC_IS_PRIVATE:
        return bool(re.search(r"\bstatic\b", head))
    if language in _PRIVATE_UNLESS_SAID:
        return not _PUBLIC_WORD.search(head)
    return bool(_PRIVATE_WORD.search(head)) and not _PUBLIC_WORD.search(head)


def is_exported_value(symbol: SymbolRow, language: str) -> bool:
    """Whether a public value stands in a language where its author exported it: it is there for other projects."""
    return symbol.kind in _VALUES and (language == "Go" or language in _PRIVATE_UNLESS_SAID)


def has_foreign_base(holder: SymbolRow, language: str, known_bases: int) -> bool:
    """Whether a type inherits from something that is not in the repository: its methods may be called from there."""
    pattern = _BASES.get(language, _BASES_BY_WORD)
    if not pattern.search(holder.signature):
        return False
    return known_bases < max(1, holder.signature.count(",") + 1 if language == "Python" else 1)


def implements_trait(symbol: SymbolRow, language: str, lines: Sequence[str]) -> bool:
    """Rust: whether a method stands in `impl Trait for Type`."""
    if language != "Rust" or symbol.parent_id is None:
        return False
    for number in range(symbol.first - 1, -1, -1):
        if _IMPL.match(lines[number]):
            return bool(_IMPL_FOR.match(lines[number]))
    return False
