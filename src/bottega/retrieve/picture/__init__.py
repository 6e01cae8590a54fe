"""Draw a neighbourhood as text, as Mermaid, as SVG, or as a page to explore."""

from __future__ import annotations

from bottega.retrieve.picture.html import as_html
from bottega.retrieve.picture.mermaid import as_mermaid
from bottega.retrieve.picture.svg import as_svg
from bottega.retrieve.picture.text import as_text

__all__ = ["as_html", "as_mermaid", "as_svg", "as_text"]
