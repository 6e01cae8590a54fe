"""Predicates for the kinds of definitions that a use may mean; each is also the cache key of its results."""

from __future__ import annotations

from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.candidates import Definition, Fits

_KINDS_OF_TYPES = TYPES | {"type", "module"}
_NEVER_CALLED = frozenset({"field", "property", "column", "section", "index"})
_MEMBERS = frozenset({"method", "constructor", "field", "property", "variable", "constant"})


def is_anything(_: Definition) -> bool:
    return True


def is_nothing(_: Definition) -> bool:
    return False


def is_type(found: Definition) -> bool:
    return found.kind in _KINDS_OF_TYPES


def is_module(found: Definition) -> bool:
    return found.kind == "module"


def is_table(found: Definition) -> bool:
    return found.kind in {"table", "view"}


def is_sql_type(found: Definition) -> bool:
    return found.kind in {"table", "view", "type"}


def is_procedure(found: Definition) -> bool:
    return found.kind == "procedure"


def is_outer(found: Definition) -> bool:
    return found.parent == 0


def may_be_called(found: Definition) -> bool:
    return found.kind not in _NEVER_CALLED


def may_be_accessed(found: Definition) -> bool:
    return found.kind != "variable"


def may_be_called_as_member(found: Definition) -> bool:
    return found.kind != "variable" and found.kind not in _NEVER_CALLED


def stands_alone(found: Definition) -> bool:
    """Whether a bare name may mean this definition in another file: a member needs a receiver."""
    return found.parent == 0 or found.kind not in _MEMBERS


# The predicate for each kind of use in SQL.
IN_SQL: dict[str, Fits] = {"read": is_table, "write": is_table, "call": is_procedure, "type": is_sql_type}
