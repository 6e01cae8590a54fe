"""Tell from a server's token count that it read less than was sent."""

from __future__ import annotations

_LONGEST_TOKEN = 8
_SHORTEST_TEXT = 2000


def is_cut(text: str, read: int) -> bool:
    """No tokenizer packs more than about eight visible characters into every token of a long text."""
    visible = sum(not character.isspace() for character in text)
    return visible > _SHORTEST_TEXT and visible / _LONGEST_TOKEN > read
