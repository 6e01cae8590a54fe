"""Contracts: JSON of a schema, a prefixed line, code, edits."""

from bottega.models.contracts.base import Contract, ContractBroken
from bottega.models.contracts.code import Code, CodeContract
from bottega.models.contracts.edits import Edit, EditsContract
from bottega.models.contracts.line import LineContract, PrefixedLine
from bottega.models.contracts.schema import SchemaContract

__all__ = [
    "Code",
    "CodeContract",
    "Contract",
    "ContractBroken",
    "Edit",
    "EditsContract",
    "LineContract",
    "PrefixedLine",
    "SchemaContract",
]
