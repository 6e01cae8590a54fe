"""Escape untrusted text for HTML: markup, and characters that are invisible or change the direction of text."""

from __future__ import annotations

from html import escape

from bottega.source.quoting import escape_breaks, show_invisible


def escape_text(text: str) -> str:
    """Text of several lines, for elements and quoted attributes."""
    return escape(show_invisible(text))


def escape_name(name: str) -> str:
    """A name or path on one line: its line ends and tabs are escaped as well."""
    return escape(escape_breaks(show_invisible(name)))
