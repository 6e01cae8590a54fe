"""A reply that is a handful of `assert` lines."""

from __future__ import annotations

from bottega.models import ContractBroken, Reply
from bottega.write.cases import Case, cases_of_asserts

_MOST = 6


class AssertsContract:
    """Takes the lines that are whole asserts; what stands around them, and a last line that was cut, falls away."""

    schema = None

    def parse(self, reply: Reply) -> list[Case]:
        lines = [line.strip() for line in reply.text.splitlines()]
        cases = [case for line in lines if line.startswith("assert ") for case in cases_of_asserts(line)]
        if not cases:
            raise ContractBroken("the reply holds no line that is a complete assert statement")
        return list(dict.fromkeys(cases))[:_MOST]

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again with lines that each are one assert statement."
