"""The shape a reply must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from bottega.models.request import Reply

T_co = TypeVar("T_co", covariant=True)


class ContractBroken(Exception):
    """What is wrong with a reply, in words that the model can act on."""


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
