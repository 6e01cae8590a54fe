"""Detect a truncated prompt by the server's own token count."""

from __future__ import annotations

_LONGEST_TOKEN = 8
_SHORTEST_TEXT = 2000


def is_truncated(text: str, read: int) -> bool:
    """Whether `read` tokens are too few for the text: tokens average at most about eight visible characters."""
    visible = sum(not character.isspace() for character in text)
    return visible > _SHORTEST_TEXT and visible / _LONGEST_TOKEN > read
