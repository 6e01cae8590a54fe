"""A reply that is code and nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.models.contracts.base import ContractBroken, refuse_cut, refuse_oversized
from bottega.models.request import Reply
from bottega.source import Language, Parses, check_syntax

_FENCE = re.compile(r"^ {0,3}(?P<ticks>`{3,}(?=[^`\n]*$)|~{3,})[ \t]*(?P<tag>[^\s`]*)[^\n]*$", re.M)
_SENTENCES = re.compile(r"[*_]*(?:`|[^\W\d_a-z]).*[.:!?。：！？][*_]*\s*", re.S)
_LIST_ITEM = re.compile(r"(?:[-*•#>]|\d+[.)])\s")
_MOST_PROSE_PARAGRAPHS = 4
_MOST_PARSING_SECONDS = 2.0
_LONGEST_TO_STRIP = 100_000


@dataclass(frozen=True, slots=True)
class Code:
    """The code, and the language its fence claimed ("" when there was no fence)."""

    text: str
    tag: str = ""


class CodeContract:
    """One fenced block, or bare code. Prose around it is removed; two blocks are refused."""

    schema = None

    def __init__(self, language: Language | None = None) -> None:
        self._language = language

    def parse(self, reply: Reply) -> Code:
        refuse_oversized(reply)
        if not reply.text.strip():
            refuse_cut(reply)
            raise ContractBroken("the reply is empty")
        blocks = list(_blocks(reply.text))
        refuse_cut(reply)
        if len(blocks) > 1:
            raise ContractBroken(f"the reply has {len(blocks)} fenced blocks where one piece of code is expected")
        code = blocks[0] if blocks else Code(self._strip_prose(reply.text))
        if not code.text.strip():
            raise ContractBroken("the reply holds no code")
        return Code(code.text.strip("\n").rstrip() + "\n", code.tag)

    def reminder(self, reason: str) -> str:
        name = f"{self._language.name} " if self._language else ""
        return (
            f"Your reply was refused: {reason}.\n"
            f"Answer again with the complete {name}code as one single piece: no explanation, no second block."
        )

    def _strip_prose(self, text: str) -> str:
        """Bare code without the prose at either end that keeps it from parsing."""
        language = self._language
        if language is None or len(text) > _LONGEST_TO_STRIP:
            return text
        end = time.thread_time() + _MOST_PARSING_SECONDS
        for candidate in _strip_prose_variants(text):
            if _parses(candidate, language):
                return candidate
            if time.thread_time() > end:
                break
        return text


def _strip_prose_variants(text: str) -> Iterator[str]:
    """The text, then variants without more and more paragraphs of prose at its ends, or without its first line."""
    blocks = re.split(r"(\n[ \t]*\n)", text)
    paragraphs = blocks[::2]
    for skipped in range(min(_MOST_PROSE_PARAGRAPHS, len(paragraphs) - 1) + 1):
        for head in range(skipped + 1):
            tail = len(paragraphs) - (skipped - head)
            if all(map(_is_prose, (*paragraphs[:head], *paragraphs[tail:]))):
                rest = "".join(blocks[2 * head : 2 * tail - 1])
                yield rest
                first, _, below = rest.lstrip("\n").partition("\n")
                if _is_prose(first):
                    yield below


def _is_prose(paragraph: str) -> bool:
    """Whether a paragraph is sentences or a list, flush left; code that does not parse is no prose and stays."""
    lines = paragraph.strip("\n").splitlines()
    if any(line[:1].isspace() for line in lines):
        return False
    return bool(_SENTENCES.fullmatch(paragraph.strip("\n"))) or all(map(_LIST_ITEM.match, lines))


def _parses(text: str, language: Language) -> bool:
    return bool(text.strip()) and isinstance(check_syntax(text, language), Parses)


def _blocks(text: str) -> Iterator[Code]:
    """Fenced blocks by the rules of Markdown: a fence is closed by one at least as long, or by the end."""
    position = 0
    while opening := _FENCE.search(text, position):
        ticks = opening.group("ticks")
        closing = re.compile(rf"^ {{0,3}}{ticks[0]}{{{len(ticks)},}}[ \t\r]*$", re.M).search(text, opening.end())
        body = text[opening.end() + 1 : closing.start() if closing else len(text)]
        yield Code(body, opening.group("tag").strip("{}.").lower())
        if not closing:
            return
        position = closing.end()
