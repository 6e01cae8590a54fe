"""Text for pages: what came from outside is text and nothing else."""

from __future__ import annotations

from html import escape


def safe(text: str) -> str:
    """Escaped, and without what could steer a screen or turn text around."""
    return escape("".join(sign if sign.isprintable() or sign in "\n\t" else "\ufffd" for sign in text))
