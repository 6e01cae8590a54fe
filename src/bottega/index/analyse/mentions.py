"""Names that code mentions without calling them: values that are passed, method references, constants that are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bottega.index.analyse.chunks import ChunkedFile
from bottega.index.analyse.comments import CommentBlock
from bottega.index.analyse.definitions import is_code, is_type
from bottega.index.analyse.outline import LONGEST_NAME, Outline, find_enclosing, read_receiver
from bottega.index.analyse.values import NOBODY, Chunk, Import, Reference, Symbol

if TYPE_CHECKING:
    import tree_sitter

_SHORTEST_NAME = 3
# Lines from the start of a definition, annotations included, on which its own name is not a mention of it.
_LONGEST_HEAD = 3
# Up to so many character comparisons, searching for names is faster than splitting lines into words.
# A line costs about 50.
_FEW_COMPARISONS = 100_000
_WORD = re.compile(r"\w+")
_ITSELF = frozenset({"self", "this", "cls", "Self", "static", "@self", "$this"})
_CLASS_IN_PAIR = re.compile(rb"(\w+)::class\s*,\s*['\"]$")  # PHP: `[Orders::class, 'show']`
_PAIR_WINDOW = 120


@dataclass(frozen=True)
class FileNames:
    """The names of a file: what it imports, what it defines at its top level, its functions, its types."""

    imported: frozenset[str]
    outer: frozenset[str]
    functions: frozenset[str]
    types: frozenset[str]


def collect_names(symbols: Sequence[Symbol], imports: Sequence[Import]) -> FileNames:
    return FileNames(
        frozenset(item.alias for item in imports),
        frozenset(symbol.name for symbol in symbols if _is_outer(symbol, symbols)),
        frozenset(symbol.name for symbol in symbols if is_code(symbol.kind)),
        frozenset(symbol.name for symbol in symbols if is_type(symbol.kind)),
    )


def collect_values(
    captures: dict[str, list[tree_sitter.Node]], source: bytes, within: Outline, names: FileNames
) -> list[Reference]:
    """Names in the places of values, as the queries capture them, that may mean a function or a type.

    A name after a dot counts if the expression before it is imported, a type of the file or the object itself, or if
    the file has a function of that name. A bare name counts unless it is a variable of the file.
    """
    used = {node.start_byte for kind in ("call", "inherit", "type") for node in captures.get(kind, ())}
    nodes = [node for node in captures.get("value", ()) if node.start_byte not in used]
    if not nodes:
        return []
    variables = {_decode(node, source) for node in captures.get("local", ())}
    found: dict[tuple[int, str, str], list[int]] = {}
    for node, symbol in zip(nodes, find_enclosing(within, [node.start_byte for node in nodes]), strict=True):
        receiver, name = _read_value(node, source)
        is_known = _may_be_member(receiver, name, names) if receiver else name not in variables
        if is_known and _SHORTEST_NAME <= len(name) <= LONGEST_NAME:
            found.setdefault((symbol, name, receiver), [node.start_point.row + 1, 0])[1] += 1
    return [
        Reference(name, "value", receiver, line, symbol, times)
        for (symbol, name, receiver), (line, times) in found.items()
        if receiver or (name not in names.imported and name not in names.outer)  # `find_mentions` has those
    ]


def find_mentions(
    lines: Sequence[str],
    shape: Outline,
    cut: ChunkedFile,
    names: FileNames,
    imports: Sequence[Import],
    known: Sequence[Reference],
    blocks: Sequence[CommentBlock],
) -> list[Reference]:
    """Mentions of what was imported or is defined at the top of the file, on any line that is no comment."""
    wanted = {name for name in names.imported | names.outer if len(name) >= _SHORTEST_NAME}
    own = {(line, s.name) for s in shape.symbols for line in range(s.first, min(s.first + _LONGEST_HEAD, s.last) + 1)}
    skipped = {item.line for item in imports}
    skipped |= {line for block in blocks if block.alone for line in range(block.first, block.last + 1)}
    seen = {(use.name, use.symbol) for use in known}
    found: dict[tuple[str, int], list[int]] = {}
    by_line = _map_lines_to_symbols(shape.symbols, len(lines))
    for used, chunk in zip(cut.words, cut.chunks, strict=True):
        for number, name in _find_names(wanted.intersection(used), lines, chunk):
            if number not in skipped and (number, name) not in own:
                symbol = by_line[number - 1]
                if (name, symbol) not in seen:
                    found.setdefault((name, symbol), [number, 0])[1] += 1
    return [Reference(name, "name", "", line, symbol, count) for (name, symbol), (line, count) in found.items()]


def _read_value(node: tree_sitter.Node, source: bytes) -> tuple[str, str]:
    """The receiver and the name: `a.b`, `:b` in a class of Ruby, `[$this, 'b']` in PHP."""
    name = _decode(node, source)
    before = source[node.start_byte - 1 : node.start_byte]
    if name.startswith(":"):
        return "self", name[1:]
    if before in {b"'", b'"'}:
        pair = _CLASS_IN_PAIR.search(source[max(0, node.start_byte - _PAIR_WINDOW) : node.start_byte])
        return (pair[1].decode("utf-8", "replace") if pair else "self"), name
    return read_receiver(source, node.start_byte), name


def _may_be_member(receiver: str, name: str, names: FileNames) -> bool:
    head = receiver.lstrip("@").replace("::", ".").partition(".")[0]
    if receiver in _ITSELF:
        return name in names.functions
    return head in names.imported or head in names.types or name in names.functions


def _find_names(names: set[str], lines: Sequence[str], chunk: Chunk) -> Iterator[tuple[int, str]]:
    """Lines of a chunk that contain one of these names as a whole word."""
    numbers = range(chunk.first, chunk.last + 1)
    if len(names) * (sum(len(lines[number - 1]) for number in numbers) + 50 * len(numbers)) <= _FEW_COMPARISONS:
        for name in names:
            for number in numbers:
                line = lines[number - 1]
                if name in line and _stands_alone(name, line):
                    yield number, name
    else:
        for number in numbers:
            for name in names.intersection(_WORD.findall(lines[number - 1])):
                yield number, name


def _stands_alone(name: str, line: str) -> bool:
    """Whether a line contains a name as a whole word."""
    at = line.find(name)
    while at >= 0:
        end = at + len(name)
        before, after = line[at - 1 : at], line[end : end + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = line.find(name, end)
    return False


def _is_outer(symbol: Symbol, symbols: Sequence[Symbol]) -> bool:
    """Whether a symbol is at the top level of the file, or of a module in it."""
    return symbol.parent == NOBODY or symbols[symbol.parent].kind == "module"


def _map_lines_to_symbols(symbols: Sequence[Symbol], count: int) -> list[int]:
    """The innermost symbol on each line: symbols that come later are nested deeper."""
    holder = [NOBODY] * count
    for place, symbol in enumerate(symbols):
        holder[symbol.first - 1 : symbol.last] = [place] * (min(symbol.last, count) - symbol.first + 1)
    return holder


def _decode(node: tree_sitter.Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
