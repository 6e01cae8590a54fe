"""Contracts: the form that a reply must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from bottega.models.request import Reply

T_co = TypeVar("T_co", covariant=True)


LONGEST_REPLY = 512 * 1024
_LONGEST_REASON = 2000


class ContractBroken(Exception):
    """A reply that breaks its contract; the message tells the model what to change, and is cut to a limit."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}…")


class Contract(Protocol[T_co]):
    """Turns a reply into a value, or says exactly what is wrong with it."""

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """For servers that constrain decoding; None when the shape is not JSON."""

    def parse(self, reply: Reply) -> T_co:
        """Raise `ContractBroken`."""

    def reminder(self, reason: str) -> str:
        """The repair turn: the exact error, and the form once more."""


def refuse_cut(reply: Reply) -> None:
    if reply.finish == "loop":
        raise ContractBroken("the reply repeats itself without end")
    if reply.finish == "length":
        raise ContractBroken("the reply was cut at the token limit before it ended")


def refuse_oversized(reply: Reply) -> None:
    """Parsers and regexes see a bounded text; no prompt here asks for a reply of this size."""
    if len(reply.text) > LONGEST_REPLY:
        raise ContractBroken(f"the reply has {len(reply.text):,} characters where {LONGEST_REPLY:,} are the limit")
