"""A reply that is code and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.models.contracts.base import ContractBroken, refuse_cut
from bottega.models.request import Reply
from bottega.source import Language, Parses, check_syntax

_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<ticks>`{3,}|~{3,})[ \t]*(?P<tag>[^\s`]*)[^\n]*$", re.M)
_MOST_PROSE_BLOCKS = 4


@dataclass(frozen=True, slots=True)
class Code:
    """The code, and the language its fence claimed ("" when there was no fence)."""

    text: str
    tag: str = ""


class CodeContract:
    """One fenced block, or bare code. Prose around it is removed; two blocks are refused, not guessed between."""

    schema = None

    def __init__(self, language: Language | None = None) -> None:
        self._language = language

    def parse(self, reply: Reply) -> Code:
        if not reply.text.strip():
            refuse_cut(reply)
            raise ContractBroken("the reply is empty")
        blocks = list(_blocks(reply.text))
        refuse_cut(reply)
        if len(blocks) > 1:
            raise ContractBroken(f"the reply has {len(blocks)} fenced blocks where one piece of code is expected")
        code = blocks[0] if blocks else Code(self._without_prose(reply.text))
        if not code.text.strip():
            raise ContractBroken("the reply holds no code")
        return Code(code.text.strip("\n").rstrip() + "\n", code.tag)

    def reminder(self, reason: str) -> str:
        name = f"{self._language.name} " if self._language else ""
        return (
            f"Your reply was refused: {reason}.\n"
            f"Answer again with the complete {name}code as one single piece: no explanation, no second block."
        )

    def _without_prose(self, text: str) -> str:
        """Bare code, less paragraphs at either end that keep it from parsing."""
        if self._language is None or _parses(text, self._language):
            return text
        blocks = re.split(r"(\n[ \t]*\n)", text)
        pieces = blocks[::2]
        for skipped in range(1, min(_MOST_PROSE_BLOCKS, len(pieces) - 1) + 1):
            for head in range(skipped + 1):
                candidate = "".join(blocks[2 * head : len(blocks) - 2 * (skipped - head)])
                if candidate.strip() and _parses(candidate, self._language):
                    return candidate
        return self._without_first_line(text)

    def _without_first_line(self, text: str) -> str:
        """`Here is the function:` directly above the code."""
        first, _, rest = text.lstrip("\n").partition("\n")
        is_prose = first.rstrip().endswith((":", ".", "!")) and " " in first.strip()
        assert self._language is not None
        return rest if is_prose and rest.strip() and _parses(rest, self._language) else text


def _parses(text: str, language: Language) -> bool:
    return bool(text.strip()) and isinstance(check_syntax(text, language), Parses)


def _blocks(text: str) -> Iterator[Code]:
    """Fenced blocks by the rules of Markdown: a fence is closed by one at least as long, or by the end."""
    position = 0
    while opening := _FENCE.search(text, position):
        ticks = opening.group("ticks")
        closing = re.compile(rf"^ {{0,3}}{ticks[0]}{{{len(ticks)},}}[ \t]*$", re.M).search(text, opening.end())
        body = text[opening.end() + 1 : closing.start() if closing else len(text)]
        yield Code(body, opening.group("tag").strip("{}.").lower())
        if not closing:
            return
        position = closing.end()
