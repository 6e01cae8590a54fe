"""A reply that is exactly one line with exactly one of the known prefixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bottega.models.contracts.base import ContractBroken, refuse_cut, refuse_oversized
from bottega.models.request import Reply


@dataclass(frozen=True, slots=True)
class PrefixedLine:
    prefix: str
    text: str


class LineContract:
    """`LineContract(["[HYBRID:]", "[DIRECT:]"])`; the text after the prefix may be empty."""

    schema = None

    def __init__(self, prefixes: Sequence[str], *, many_lines: bool = False) -> None:
        self._prefixes = tuple(sorted(prefixes, key=len, reverse=True))
        self._many_lines = many_lines

    def parse(self, reply: Reply) -> PrefixedLine:
        refuse_oversized(reply)
        refuse_cut(reply)
        text = reply.text.strip()
        if not text:
            raise ContractBroken("the reply is empty")
        if "\n" in text and not self._many_lines:
            raise ContractBroken("the reply has more than one line")
        for prefix in self._prefixes:
            if text.startswith(prefix):
                rest = text[len(prefix) :].strip()
                self._refuse_second_prefix(rest)
                return PrefixedLine(prefix, rest)
        raise ContractBroken(f"the reply starts with none of {' '.join(sorted(self._prefixes))}")

    def reminder(self, reason: str) -> str:
        form = "one of these prefixes" if self._many_lines else "one line that starts with one of these prefixes"
        return f"Your reply was refused: {reason}.\nAnswer again with {form}: {' '.join(sorted(self._prefixes))}"

    def _refuse_second_prefix(self, rest: str) -> None:
        second = next((prefix for prefix in self._prefixes if rest.startswith(prefix)), None)
        if second:
            raise ContractBroken(f"the reply has a second prefix {second}")
