"""Find names that Python code uses and never defines, without running it."""

from __future__ import annotations

import builtins
import dis
import warnings
from collections.abc import Iterator
from types import CodeType

from bottega.source.languages import Language

_LOADS = {"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
_STORES = {"STORE_NAME", "STORE_GLOBAL"}
_DYNAMIC = {"exec", "globals", "locals", "vars", "__import__"}
_PREDEFINED = {
    "__name__",
    "__file__",
    "__doc__",
    "__builtins__",
    "__annotations__",
    "__spec__",
    "__loader__",
    "__package__",
}
_PREDEFINED |= {"__module__", "__qualname__", "__class__", "__path__", "__cached__", "__conditional_annotations__"}


def find_undefined_names(code: str, language: Language) -> frozenset[str] | None:
    """Names that are read and neither bound, built in nor imported; `None` where that cannot be known.

    It is known for Python that parses and has neither a star import nor `exec`.
    """
    if language.name != "Python":
        return None
    module = _compile(code)
    if module is None:
        return None
    instructions = [step for inner in _walk_code(module) for step in dis.get_instructions(inner)]
    used = {str(step.argval) for step in instructions if step.opname in _LOADS}
    bound = {str(step.argval) for step in instructions if step.opname in _STORES}
    if used & _DYNAMIC or any("IMPORT_STAR" in f"{step.opname} {step.argrepr}" for step in instructions):
        return None
    return frozenset(used - bound - _PREDEFINED - set(dir(builtins)))


def _compile(code: str) -> CodeType | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code, "code", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _walk_code(code: CodeType) -> Iterator[CodeType]:
    pending = [code]
    while pending:
        current = pending.pop()
        yield current
        pending += [constant for constant in current.co_consts if isinstance(constant, CodeType)]
