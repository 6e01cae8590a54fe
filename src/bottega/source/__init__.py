"""Source text without a model: languages, syntax, diffs, files, git, secrets."""

from __future__ import annotations

from bottega.source.comments import render_comment
from bottega.source.diff import Diff, FileChange, FileLayout, Hunk, Line
from bottega.source.diff_parser import parse_diff, parse_diff_layout
from bottega.source.languages import Language, known_languages, language_named, language_of_path
from bottega.source.names import find_defined_names, find_signatures
from bottega.source.quoting import escape_breaks, quote_line, quote_name, show_invisible
from bottega.source.requested_language import detect_requested_language
from bottega.source.span import Span
from bottega.source.syntax import Parses, Syntax, SyntaxFault, Unchecked, check_syntax
from bottega.source.tokens import estimate_tokens
from bottega.source.undefined import find_undefined_names

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
    "detect_requested_language",
    "escape_breaks",
    "estimate_tokens",
    "find_defined_names",
    "find_signatures",
    "find_undefined_names",
    "known_languages",
    "language_named",
    "language_of_path",
    "parse_diff",
    "parse_diff_layout",
    "quote_line",
    "quote_name",
    "render_comment",
    "show_invisible",
]
