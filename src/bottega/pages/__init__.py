"""HTML pages that need nothing else: one shell, one style sheet, escaping, highlighted code, a subset of Markdown.

A page loads nothing and runs only the scripts of this package: its content security policy names their hashes.
"""

from __future__ import annotations

from bottega.pages.escaping import escape_name, escape_text
from bottega.pages.filters import FilterChoice, mark_filtered, render_filter
from bottega.pages.highlighting import find_lexer, highlight_code, highlight_lines
from bottega.pages.markdown import render_line, render_prose, render_readme
from bottega.pages.parts import render_badge, render_bar, render_figures, render_folding, render_table
from bottega.pages.shell import FILTER, TREE, PageScript, render_page

__all__ = [
    "FILTER",
    "TREE",
    "FilterChoice",
    "PageScript",
    "escape_name",
    "escape_text",
    "find_lexer",
    "highlight_code",
    "highlight_lines",
    "mark_filtered",
    "render_badge",
    "render_bar",
    "render_figures",
    "render_filter",
    "render_folding",
    "render_line",
    "render_page",
    "render_prose",
    "render_readme",
    "render_table",
]
