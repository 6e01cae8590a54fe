"""Escape untrusted text for HTML pages."""

from __future__ import annotations

from html import escape


def escape_text(text: str) -> str:
    """Escape HTML, and remove control and bidirectional characters."""
    return escape("".join(sign if sign.isprintable() or sign in "\n\t" else "\ufffd" for sign in text))
