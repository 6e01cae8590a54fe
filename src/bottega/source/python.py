"""Python source, read by the interpreter that runs the house."""

from __future__ import annotations

import ast
import sys
import threading
import warnings

from bottega.source.fault import Parses, Syntax, Unchecked, fault_at
from bottega.source.languages import language_named

_TOO_DEEP = Unchecked("it is nested too deeply for the Python parser")
# Filters for warnings belong to the whole process, so two threads must not change them at once.
_FILTERS = threading.Lock()


def python_syntax(code: str) -> Syntax:
    """Compile without running, which also finds what no grammar does, such as `return` outside a function."""
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<source>", "exec", dont_inherit=True)
    except SyntaxError as error:
        if _is_newer_than_here(code, error):
            return Unchecked(f"it is written for a newer Python than {sys.version_info[0]}.{sys.version_info[1]}")
        return fault_at(code, error.lineno or 1, error.offset or 1, error.msg)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    return Parses()


def python_tree(code: str) -> ast.Module | None:
    """Parse into a tree, or `None` where this interpreter cannot."""
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_newer_than_here(code: str, error: SyntaxError) -> bool:
    """Tell a fault from grammar that a later interpreter takes: the tree is clean and shows the construct."""
    if sys.version_info >= (3, 12):
        return False
    from bottega.source.grammar import read
    from bottega.source.queries import captured

    python = language_named("Python")
    reading = None if python is None else read(code, python)
    if reading is None or not reading.is_clean:
        return False
    if error.msg.startswith("f-string"):
        return True
    newer = captured(reading.root, "python", "python-3.12", "newer")
    return any(node.start_point.row + 1 == error.lineno for node in newer)
