"""The contract of a reply made of `assert` lines."""

from __future__ import annotations

from bottega.models import ContractBroken, Reply
from bottega.write.cases import Case, find_assert_cases

_MOST = 6


class AssertsContract:
    """Takes the complete asserts of a reply; other text, and a last line that was cut, is ignored."""

    schema = None

    def parse(self, reply: Reply) -> list[Case]:
        lines = [line.strip() for line in reply.text.splitlines()]
        cases = [case for line in lines if line.startswith("assert ") for case in find_assert_cases(line)]
        if not cases:
            raise ContractBroken("the reply holds no line that is a complete assert statement")
        return list(dict.fromkeys(cases))[:_MOST]

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again with lines that each are one assert statement."
