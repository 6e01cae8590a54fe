"""Repair text whose UTF-16 surrogate pairs a server split or left incomplete."""

from __future__ import annotations


def join_surrogates(text: str) -> str:
    """Join surrogate pairs into characters; a lone surrogate, which cannot be stored or printed, becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
