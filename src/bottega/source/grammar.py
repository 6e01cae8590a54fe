"""Parse source with tree-sitter within a time limit."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from bottega.source.fault import Parses, Syntax, SyntaxFault, Unchecked, locate_fault
from bottega.source.languages import Language

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter_language_pack import SupportedLanguage

# Valid source takes about a second per megabyte; only broken source takes longer than this. It is processor time,
# so that a busy machine gives the same result as an idle one.
_LIMIT_S = 5.0
_CHUNK = 4096
_QUOTED_WIDTH = 40

_DIRECTIVE = re.compile(r"^[ \t]*+#[ \t]*+(.*+)$", re.MULTILINE)
# Directives that do not change the text around them: system headers, guards, constants, regions.
_PLAIN_DIRECTIVE = re.compile(
    r"""include\s*<[\w.]+>|pragma\b|(?:end)?region\b|nullable\b|endif\b
    |(?:ifndef|define)\s+\w*_H(?:PP|XX)?_*$|define\s+\w+\s+[-+(]*["'\d]""",
    re.VERBOSE,
)
# Valid source that the grammar refuses, each found in public repositories.
_REFUSED_WRONGLY = {
    "c": re.compile(r"\bauto\b|^[A-Z][A-Z0-9_]+\s*\(", re.MULTILINE),
    "cpp": re.compile(r"\bnew\s+[\w:<>]+\s*\*|^[A-Z][A-Z0-9_]+\s*\(", re.MULTILINE),
    "go": re.compile(r"^(?:const|var|type)[ \t]*\(.*\)[ \t]*$", re.MULTILINE),
    "javascript": re.compile(r"=\"[^\"\n&]*+&[^\"\n]*+\""),
    "typescript": re.compile(r"typeof import\(|export type \*"),
}
_PREPROCESSED = frozenset({"c", "cpp", "csharp"})


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A syntax tree with the bytes it was parsed from; the first `lead` bytes were added for the grammar."""

    tree: tree_sitter.Tree
    source: bytes
    lead: int

    @property
    def root(self) -> tree_sitter.Node:
        return self.tree.root_node

    @property
    def is_clean(self) -> bool:
        return not self.root.has_error


def check_with_grammar(code: str, language: Language) -> Syntax:
    parsed = parse_source(code, language)
    if parsed is None:
        return Unchecked(f"the {language} grammar did not finish within {_LIMIT_S:g} s")
    if parsed.is_clean:
        return Parses()
    if _may_be_refused_wrongly(code, language.grammar):
        return Unchecked(f"the {language} grammar refuses it, but a compiler may accept it")
    return _find_fault(parsed)


def parse_source(code: str, language: Language) -> ParsedSource | None:
    """Parse with the language's grammar; `None` when that exceeds the time limit."""
    source, lead = _prepare(code, language.grammar)
    tree = _parse(source, language.grammar)
    return None if tree is None else ParsedSource(tree, source, lead)


def _prepare(code: str, grammar: str) -> tuple[bytes, int]:
    """Change the source as the grammar requires, keeping its lines."""
    if grammar in _PREPROCESSED:  # the grammar refuses a blank after `#include <x>`
        code = _DIRECTIVE.sub(lambda match: match[0].rstrip(" \t"), code)
    opening = "<?php " if grammar == "php" and "<?" not in code else ""
    ending = "" if code.endswith("\n") else "\n"
    return f"{opening}{code}{ending}".encode(errors="replace"), len(opening)


def _parse(source: bytes, grammar: str) -> tree_sitter.Tree | None:
    """Parse until the time limit.

    The parser is stopped by ending its input: the binding's `progress_callback` crashes the process.
    """
    from tree_sitter import Parser

    deadline = time.thread_time() + _LIMIT_S
    is_late = False

    def read_chunk(offset: int, _: object) -> bytes:
        nonlocal is_late
        is_late = is_late or time.thread_time() > deadline
        return b"" if is_late else source[offset : offset + _CHUNK]

    tree = Parser(load_grammar(grammar)).parse(read_chunk)
    return None if is_late else tree


@cache
def load_grammar(grammar: str) -> tree_sitter.Language:
    from tree_sitter_language_pack import get_language

    return get_language(cast("SupportedLanguage", grammar))  # the table of languages holds only such names


def _find_directives(code: str) -> Iterator[str]:
    return (directive.rstrip(" \t") for directive in _DIRECTIVE.findall(code))


def _may_be_refused_wrongly(code: str, grammar: str) -> bool:
    if grammar in _PREPROCESSED and not all(map(_PLAIN_DIRECTIVE.match, _find_directives(code))):
        return True
    pattern = _REFUSED_WRONGLY.get(grammar)
    return pattern is not None and pattern.search(code) is not None


def _find_fault(parsed: ParsedSource) -> SyntaxFault:
    node = _find_first_fault(parsed.root)
    authored = parsed.source[parsed.lead :]
    before = authored[: max(node.start_byte - parsed.lead, 0)].decode(errors="replace")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return locate_fault(authored.decode(errors="replace"), line, column, _describe_fault(node))


def _find_first_fault(node: tree_sitter.Node) -> tree_sitter.Node:
    """The innermost first faulty node; a node can be faulty without a faulty child."""
    while not node.is_missing:
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            return node
        node = inner
    return node


def _describe_fault(node: tree_sitter.Node) -> str:
    if node.is_missing:
        return f"missing `{node.type}`"
    lines = (node.text or b"").decode(errors="replace").strip().split("\n")
    quoted = f"`{lines[0][:_QUOTED_WIDTH]}`"
    if len(lines) > 1:  # the fault is after its first line, or its end is missing
        return f"what begins with {quoted} is not closed"
    return f"unexpected {quoted}" if lines[0] else "unexpected end"
