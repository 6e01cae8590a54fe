"""What the house knows about source text, without asking a model."""

from __future__ import annotations

from bottega.source.asked import language_asked_for
from bottega.source.comments import comment_line
from bottega.source.diff import Diff, FileChange, FileLayout, Hunk, Line, diff_layout, parse_diff
from bottega.source.languages import Language, known_languages, language_named, language_of_path
from bottega.source.names import defined_names, signatures
from bottega.source.quoting import quote_line, quote_name, show_invisible
from bottega.source.span import Span
from bottega.source.syntax import Parses, Syntax, SyntaxFault, Unchecked, check_syntax
from bottega.source.tokens import estimate_tokens
from bottega.source.undefined import undefined_names

__all__ = [
    "Diff",
    "FileChange",
    "FileLayout",
    "Hunk",
    "Language",
    "Line",
    "Parses",
    "Span",
    "Syntax",
    "SyntaxFault",
    "Unchecked",
    "check_syntax",
    "comment_line",
    "defined_names",
    "diff_layout",
    "estimate_tokens",
    "known_languages",
    "language_asked_for",
    "language_named",
    "language_of_path",
    "parse_diff",
    "quote_line",
    "quote_name",
    "show_invisible",
    "signatures",
    "undefined_names",
]
