"""Predicates for the kinds of definitions that a use may mean; each is also the cache key of its results."""

from __future__ import annotations

from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.candidates import Definition, Fits

_KINDS_OF_TYPES = TYPES | {"type", "module"}
_NEVER_CALLED = frozenset({"field", "property", "column", "section", "index"})
_PASSED = frozenset({"function", "method", "constructor", "macro"}) | TYPES
_MEMBERS = frozenset({"method", "constructor", "field", "property", "variable", "constant"})


def is_anything(_: Definition) -> bool:
    return True


def is_nothing(_: Definition) -> bool:
    return False


def is_type(definition: Definition) -> bool:
    return definition.kind in _KINDS_OF_TYPES


def is_module(definition: Definition) -> bool:
    return definition.kind == "module"


def is_table(definition: Definition) -> bool:
    return definition.kind in {"table", "view"}


def is_sql_type(definition: Definition) -> bool:
    return definition.kind in {"table", "view", "type"}


def is_procedure(definition: Definition) -> bool:
    return definition.kind == "procedure"


def is_outer(definition: Definition) -> bool:
    return definition.parent == 0


def may_be_called(definition: Definition) -> bool:
    return definition.kind not in _NEVER_CALLED


def may_be_passed(definition: Definition) -> bool:
    """Whether a bare name as a value may mean this definition: variables of that name are often local ones."""
    return definition.kind in _PASSED


def may_be_accessed(definition: Definition) -> bool:
    return definition.kind != "variable"


def may_be_called_as_member(definition: Definition) -> bool:
    return definition.kind != "variable" and definition.kind not in _NEVER_CALLED


def stands_alone(definition: Definition) -> bool:
    """Whether a bare name may mean this definition in another file: a member needs a receiver."""
    return definition.parent == 0 or definition.kind not in _MEMBERS


# The predicate for each kind of use in SQL.
IN_SQL: dict[str, Fits] = {"read": is_table, "write": is_table, "call": is_procedure, "type": is_sql_type}
