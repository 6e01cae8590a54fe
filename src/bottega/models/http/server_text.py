"""Clean text from a server for our messages: short, on one line, without control characters."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 500
_CONTROL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean_server_text(text: str, limit: int = _LONGEST) -> str:
    """At most `limit` characters; control characters, escape sequences and bidirectional marks are removed."""
    head = text[: 4 * limit]
    printable = "".join(" " if unicodedata.category(character) in _CONTROL else character for character in head)
    line = re.sub(r"\s+", " ", printable).strip()
    return line if len(line) <= limit and len(head) == len(text) else f"{line[: limit - 1]}…"
