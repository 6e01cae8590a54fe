"""Check and parse Python source with the running interpreter."""

from __future__ import annotations

import ast
import sys
import threading
import warnings

from bottega.source.fault import Parses, Syntax, Unchecked, locate_fault
from bottega.source.languages import language_named

_TOO_DEEP = Unchecked("it is nested too deeply for the Python parser")
# Warning filters are global to the process, so that two threads must not change them at once.
_FILTERS = threading.Lock()


def check_python(code: str) -> Syntax:
    """Compile without running, which also finds faults outside the grammar, such as `return` outside a function."""
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<source>", "exec", dont_inherit=True)
    except SyntaxError as error:
        if _is_newer_than_here(code, error):
            return Unchecked(f"it is written for a newer Python than {sys.version_info[0]}.{sys.version_info[1]}")
        return locate_fault(code, error.lineno or 1, error.offset or 1, error.msg)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    return Parses()


def parse_python(code: str) -> ast.Module | None:
    """Parse into a tree, or `None` where this interpreter cannot."""
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_newer_than_here(code: str, error: SyntaxError) -> bool:
    """Whether the error is syntax of a later Python: tree-sitter parses it and finds the newer construct."""
    if sys.version_info >= (3, 12):
        return False
    from bottega.source.grammar import parse_source
    from bottega.source.queries import find_captures

    python = language_named("Python")
    parsed = None if python is None else parse_source(code, python)
    if parsed is None or not parsed.is_clean:
        return False
    if error.msg.startswith("f-string"):
        return True
    newer = find_captures(parsed.root, "python", "python-3.12", "newer")
    return any(node.start_point.row + 1 == error.lineno for node in newer)
