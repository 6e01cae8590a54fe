"""Reading source with tree-sitter: bounded in time, and honest about what a grammar cannot see."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from bottega.source.fault import Parses, Syntax, SyntaxFault, Unchecked, fault_at
from bottega.source.languages import Language

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter_language_pack import SupportedLanguage

# Valid source takes about a second per megabyte; only broken source takes longer than this. It is processor time,
# so that a busy machine gives the same answer as an idle one.
_PATIENCE_S = 5.0
_CHUNK = 4096
_QUOTED_WIDTH = 40

_DIRECTIVE = re.compile(r"^[ \t]*+#[ \t]*+(.*+)$", re.MULTILINE)
# Directives that leave the text around them as it stands: system headers, guards, constants, regions.
_PLAIN_DIRECTIVE = re.compile(
    r"""include\s*<[\w.]+>|pragma\b|(?:end)?region\b|nullable\b|endif\b
    |(?:ifndef|define)\s+\w*_H(?:PP|XX)?_*$|define\s+\w+\s+[-+(]*["'\d]""",
    re.VERBOSE,
)
# Valid source that the grammar refuses, each met in public repositories.
_REFUSED_WRONGLY = {
    "c": re.compile(r"\bauto\b|^[A-Z][A-Z0-9_]+\s*\(", re.MULTILINE),
    "cpp": re.compile(r"\bnew\s+[\w:<>]+\s*\*|^[A-Z][A-Z0-9_]+\s*\(", re.MULTILINE),
    "go": re.compile(r"^(?:const|var|type)[ \t]*\(.*\)[ \t]*$", re.MULTILINE),
    "javascript": re.compile(r"=\"[^\"\n&]*+&[^\"\n]*+\""),
    "typescript": re.compile(r"typeof import\(|export type \*"),
}
_PREPROCESSED = frozenset({"c", "cpp", "csharp"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A syntax tree with the bytes it was made from; the first `lead` bytes are not the author's."""

    tree: tree_sitter.Tree
    source: bytes
    lead: int

    @property
    def root(self) -> tree_sitter.Node:
        return self.tree.root_node

    @property
    def is_clean(self) -> bool:
        return not self.root.has_error


def grammar_syntax(code: str, language: Language) -> Syntax:
    reading = read(code, language)
    if reading is None:
        return Unchecked(f"the {language} grammar did not finish within {_PATIENCE_S:g} s")
    if reading.is_clean:
        return Parses()
    if _may_be_refused_wrongly(code, language.grammar):
        return Unchecked(f"the {language} grammar refuses it, but may not see what a compiler sees")
    return _fault(reading)


def read(code: str, language: Language) -> Reading | None:
    """Parse with the language's grammar; `None` when it does not come to an end in time."""
    source, lead = _prepared(code, language.grammar)
    tree = _parsed(source, language.grammar)
    return None if tree is None else Reading(tree, source, lead)


def _prepared(code: str, grammar: str) -> tuple[bytes, int]:
    """Spell the source as the grammar wants it, keeping every line where it is."""
    if grammar in _PREPROCESSED:  # a blank after `#include <x>` is a fault to the grammar
        code = _DIRECTIVE.sub(lambda found: found[0].rstrip(" \t"), code)
    opening = "<?php " if grammar == "php" and "<?" not in code else ""
    ending = "" if code.endswith("\n") else "\n"
    return f"{opening}{code}{ending}".encode(errors="replace"), len(opening)


def _parsed(source: bytes, grammar: str) -> tree_sitter.Tree | None:
    """Feed the parser until patience ends.

    Running out of text is the one way to stop it: the binding's `progress_callback` crashes the process.
    """
    from tree_sitter import Parser

    deadline = time.thread_time() + _PATIENCE_S
    is_late = False

    def chunk(offset: int, _: object) -> bytes:
        nonlocal is_late
        is_late = is_late or time.thread_time() > deadline
        return b"" if is_late else source[offset : offset + _CHUNK]

    tree = Parser(loaded(grammar)).parse(chunk)
    return None if is_late else tree


@cache
def loaded(grammar: str) -> tree_sitter.Language:
    from tree_sitter_language_pack import get_language

    return get_language(cast("SupportedLanguage", grammar))  # the table of languages holds only such names


def _directives(code: str) -> Iterator[str]:
    return (found.rstrip(" \t") for found in _DIRECTIVE.findall(code))


def _may_be_refused_wrongly(code: str, grammar: str) -> bool:
    if grammar in _PREPROCESSED and not all(map(_PLAIN_DIRECTIVE.match, _directives(code))):
        return True
    pattern = _REFUSED_WRONGLY.get(grammar)
    return pattern is not None and pattern.search(code) is not None


def _fault(reading: Reading) -> SyntaxFault:
    node = _first_fault(reading.root)
    authored = reading.source[reading.lead :]
    before = authored[: max(node.start_byte - reading.lead, 0)].decode(errors="replace")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return fault_at(authored.decode(errors="replace"), line, column, _what(node))


def _first_fault(node: tree_sitter.Node) -> tree_sitter.Node:
    """Walk down to the innermost first fault; a node can be faulty without any faulty child."""
    while not node.is_missing:
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            return node
        node = inner
    return node


def _what(node: tree_sitter.Node) -> str:
    if node.is_missing:
        return f"missing `{node.type}`"
    lines = (node.text or b"").decode(errors="replace").strip().split("\n")
    quoted = f"`{lines[0][:_QUOTED_WIDTH]}`"
    if len(lines) > 1:  # its first words are sound: something below them is not, or never comes
        return f"what begins with {quoted} does not come to an end"
    return f"unexpected {quoted}" if lines[0] else "unexpected end"
