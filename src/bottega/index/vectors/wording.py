"""Prepare a text for the embedder: every word once, in the order of first use."""

from __future__ import annotations

from functools import lru_cache

from bottega.source.words import IDENTIFIER, split_identifier

LONGEST = 24
MOST = 140


def list_words(text: str, most: int = MOST) -> list[str]:
    """The parts of all identifiers in lower case, without single characters, long numbers and very long words."""
    found: dict[str, None] = {}
    for identifier in dict.fromkeys(IDENTIFIER.findall(text)):
        found.update(_list_telling_words(identifier))
        if len(found) >= most:
            break
    return list(found)[:most]


@lru_cache(maxsize=400_000)
def _list_telling_words(identifier: str) -> dict[str, None]:
    return {
        part: None
        for part in split_identifier(identifier)
        if 1 < len(part) <= LONGEST and not (part.isdigit() and len(part) > 4)
    }
