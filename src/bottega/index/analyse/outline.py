"""Definitions and uses of names, collected from a syntax tree by the queries of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bottega.index.analyse.budget import DEEPEST_DEFINITIONS, OverBudgetError
from bottega.index.analyse.values import NOBODY, Reference, Symbol

if TYPE_CHECKING:
    import tree_sitter

TYPES = frozenset({"class", "interface", "struct", "enum", "trait", "object", "record", "protocol", "extension"})
LONGEST_NAME = 200
_LONGEST_SIGNATURE = 300
_REMARK_LINES = re.compile(r"^[ \t]*(?:#(?!\[|[ \t]*define\b)|//|--|/\*).*$", re.MULTILINE)
_COLON = re.compile(r"^:(?=\w)|(?<=\w):$")  # of `:name` and `name:`, which are names in Ruby and Elixir
_BLANKS = re.compile(r"\s+")
_CHAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$@.:>-?!")
_JOINTS = b".:>-?!"
_RECEIVER_WINDOW = 80


@dataclass(slots=True)
class _Definition:
    """A definition or a naming scope before its parent is known."""

    start: int
    end: int
    named_at: int
    name: str
    kind: str
    owner: str
    first: int
    last: int
    signature: str
    is_clause: bool


class _Open(NamedTuple):
    """A definition that the sweep is inside of."""

    start: int
    end: int
    place: int
    qualified: str
    kind: str
    is_clause: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """Symbols, and byte ranges: range `n` belongs to symbol `places[n]`."""

    symbols: tuple[Symbol, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    namespace: str
    places: tuple[int, ...] = ()


def build_outline(matches: Iterable[tuple[int, dict[str, list[tree_sitter.Node]]]], source: bytes) -> Outline:
    """Nest and qualify the matches of the language's definitions query."""
    found, namespace = [], ""
    for _, captures in sorted(matches, key=lambda match: match[0]):
        for label, nodes in captures.items():
            if label == "namespace":
                namespace = namespace or ".".join(_text(node, source) for node in _sort_by_start(nodes))
            elif label == "scope" or label.startswith("definition."):
                found += _read_definitions(label.removeprefix("definition."), nodes[0], captures, source)
    return _nest(found, namespace)


def collect_references(
    captures: dict[str, list[tree_sitter.Node]], source: bytes, within: Outline
) -> tuple[Reference, ...]:
    """Uses of names by kind, counted once for each symbol that uses them."""
    uses: dict[tuple[int, str, str, str], list[int]] = {}
    for kind in ("call", "inherit", "type", "read", "write"):
        nodes = captures.get(kind, [])
        for node, symbol in zip(nodes, find_enclosing(within, [node.start_byte for node in nodes]), strict=True):
            name = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
            if not name or len(name) > LONGEST_NAME:
                continue
            receiver = read_receiver(source, node.start_byte) if kind == "call" else ""
            seen = uses.setdefault((symbol, kind, name, receiver), [node.start_point.row + 1, 0])
            seen[1] += 1
    return tuple(
        Reference(name, kind, receiver, line, symbol, count)
        for (symbol, kind, name, receiver), (line, count) in uses.items()
    )


def find_enclosing(within: Outline, places: Sequence[int]) -> list[int]:
    """The innermost symbol around each byte offset, by one sweep over both."""
    places_of = within.places or range(len(within.starts))
    order = sorted(range(len(places)), key=places.__getitem__)
    result = [NOBODY] * len(places)
    stack: list[int] = []
    at = 0
    for index in order:
        place = places[index]
        while at < len(within.starts) and within.starts[at] <= place:
            stack.append(at)
            at += 1
        while stack and within.ends[stack[-1]] <= place:
            stack.pop()
        result[index] = places_of[stack[-1]] if stack else NOBODY
    return result


def _read_definitions(
    kind: str, node: tree_sitter.Node, captures: dict[str, list[tree_sitter.Node]], source: bytes
) -> list[_Definition]:
    """One definition for each name: `a, b = 1, 2` defines two."""
    owner = ".".join(_text(node, source) for node in _sort_by_start(captures.get("owner", ())))
    lead = _sort_by_start(captures.get("lead", ()))[:1] or [
        node
    ]  # attributes that the grammar puts beside the definition
    tail = _find_tail(node)
    first, last = lead[0].start_point.row + 1, _last_line(node, tail)
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    signature = "" if kind == "scope" else _read_signature(node, body, source)
    is_clause, end = "clause" in captures, tail.end_byte
    return [
        _Definition(node.start_byte, end, named.start_byte, name, kind, owner, first, last, signature, is_clause)
        for named in _sort_by_start(captures.get("name", ()))
        if (name := _COLON.sub("", _text(named, source).strip("\"'`"))) and len(name) <= LONGEST_NAME
    ]


def _nest(found: list[_Definition], namespace: str) -> Outline:
    """Give each definition its parent and its qualified name."""
    found = _deduplicate(found)
    symbols: list[Symbol] = []
    starts: list[int] = []
    ends: list[int] = []
    places: list[int] = []
    members: list[tuple[int, str]] = []  # members that are defined outside of their type
    blocks: list[tuple[int, str]] = []  # byte ranges of scopes that belong to a type
    stack: list[_Open] = []
    for item in found:
        before: _Open | None = None
        while stack and (stack[-1].end <= item.start or (stack[-1].start, stack[-1].end) == (item.start, item.end)):
            before = stack.pop()
        if len(stack) >= DEEPEST_DEFINITIONS:
            raise OverBudgetError(f"definitions nest more than {DEEPEST_DEFINITIONS} deep")
        parent = next((around.place for around in reversed(stack) if around.place != NOBODY), NOBODY)
        inside = [*([stack[-1].qualified] if stack else []), *([item.owner] if item.owner else [])]
        qualified = ".".join((*inside, item.name))
        starts.append(item.start)
        ends.append(item.end)
        if item.kind == "scope":
            blocks.append((len(places), qualified))
            places.append(parent)
            stack.append(_Open(item.start, item.end, NOBODY, qualified, "class"))
            continue
        if item.is_clause and before is not None and before.is_clause and before.qualified == qualified:
            symbols[before.place] = symbols[before.place]._replace(last=item.last)
            places.append(before.place)
            stack.append(before._replace(start=item.start, end=item.end))
            continue
        kind = _kind(item, stack[-1].kind if stack else "")
        if item.owner or (stack and stack[-1].place == NOBODY):
            members.append((len(symbols), ".".join(inside)))
        places.append(len(symbols))
        symbols.append(Symbol(item.name, kind, qualified, item.first, item.last, parent, item.signature))
        stack.append(_Open(item.start, item.end, len(symbols) - 1, qualified, kind, item.is_clause))
    types = {symbol.qualified: place for place, symbol in reversed(list(enumerate(symbols))) if symbol.kind in TYPES}
    for place, holder in members:
        symbols[place] = symbols[place]._replace(parent=types.get(holder, symbols[place].parent))
    for stretch, holder in blocks:
        places[stretch] = types.get(holder, places[stretch])
    return Outline(tuple(symbols), tuple(starts), tuple(ends), namespace, tuple(places))


def _deduplicate(found: list[_Definition]) -> list[_Definition]:
    """Sort outer before inner; where two queries match one name, the first wins."""
    kept: dict[tuple[int, bool], _Definition] = {}
    for item in found:
        kept.setdefault((item.named_at, item.kind == "scope"), item)
    return sorted(kept.values(), key=lambda item: (item.start, -item.end, item.kind != "scope", item.named_at))


def _kind(item: _Definition, around: str) -> str:
    if item.kind == "function" and (around in TYPES or item.owner):
        return "method"
    return item.kind


def _read_signature(node: tree_sitter.Node, body: tree_sitter.Node | None, source: bytes) -> str:
    end = body.start_byte if body is not None and body.start_byte > node.start_byte else node.end_byte
    text = source[node.start_byte : min(end, node.start_byte + 4 * _LONGEST_SIGNATURE)].decode("utf-8", "replace")
    if body is None:
        line = text.partition("\n")[0]
        text = text if line.count("(") > line.count(")") else line
    text = _REMARK_LINES.sub("", text)
    return _BLANKS.sub(" ", text).strip().rstrip("{=").strip()[:_LONGEST_SIGNATURE]


def read_receiver(source: bytes, start: int) -> str:
    """The chain of names before a dot; "?" for any other expression."""
    if start == 0 or source[start - 1] not in b".:>":
        return ""
    first = start
    while first > 0 and start - first < _RECEIVER_WINDOW and source[first - 1] in _CHAIN:
        first -= 1
    chain = source[first:start].strip(_JOINTS)
    return chain.decode("ascii") if chain and not chain[:1].isdigit() else "?"


def _sort_by_start(nodes: Sequence[tree_sitter.Node]) -> list[tree_sitter.Node]:
    return sorted(nodes, key=lambda node: node.start_byte)


def _text(node: tree_sitter.Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace").strip()


def _find_tail(node: tree_sitter.Node) -> tree_sitter.Node:
    """The last leaf that is neither empty nor a comment: some grammars extend a body to the next token."""
    while node.child_count:
        inner = None
        for place in range(node.child_count - 1, -1, -1):
            child = node.child(place)
            if child is not None and not child.is_extra and child.end_byte > child.start_byte:
                inner = child
                break
        if inner is None:
            return node
        node = inner
    return node


def _last_line(node: tree_sitter.Node, tail: tree_sitter.Node) -> int:
    """The last line of a node; a node that ends with a line break ends on that line, not on the next one."""
    end = tail.end_point
    return max(end.row + (1 if end.column else 0), node.start_point.row + 1)
