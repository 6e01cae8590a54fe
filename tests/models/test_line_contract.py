"""A reply of one line with one known prefix."""

from __future__ import annotations

import pytest

from bottega.models import ContractBroken, LineContract, PrefixedLine, Reply

CONTRACT = LineContract(["[HYBRID:]", "[DIRECT:]", "[DIRECT:ALL]"])


def refusal(text: str, contract: LineContract = CONTRACT) -> str:
    with pytest.raises(ContractBroken) as caught:
        contract.parse(Reply(text))
    return str(caught.value)


def test_the_text_after_the_prefix_is_the_value() -> None:
    assert CONTRACT.parse(Reply("  [HYBRID:] where is login \n")) == PrefixedLine("[HYBRID:]", "where is login")


def test_the_text_may_be_empty() -> None:
    assert CONTRACT.parse(Reply("[DIRECT:]")) == PrefixedLine("[DIRECT:]", "")


def test_a_longer_prefix_wins_over_the_one_it_begins_with() -> None:
    contract = LineContract(["YES", "YES!"])
    assert contract.parse(Reply("YES! sure")) == PrefixedLine("YES!", "sure")
    assert contract.parse(Reply("YES sure")) == PrefixedLine("YES", "sure")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("  \n ", "the reply is empty"),
        ("login", "the reply starts with none of [DIRECT:ALL] [DIRECT:] [HYBRID:]"),
        ("Sure: [DIRECT:] x", "the reply starts with none of [DIRECT:ALL] [DIRECT:] [HYBRID:]"),
        ("[direct:] x", "the reply starts with none of [DIRECT:ALL] [DIRECT:] [HYBRID:]"),
        ("[DIRECT:] x\nand more", "the reply has more than one line"),
        ("[DIRECT:] [HYBRID:] x", "the reply has a second prefix [HYBRID:]"),
    ],
)
def test_anything_else_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert refusal(text) == reason


def test_many_lines_are_kept_where_they_are_allowed() -> None:
    contract = LineContract(["[ANSWER]"], many_lines=True)
    assert contract.parse(Reply("[ANSWER] one\ntwo\n")) == PrefixedLine("[ANSWER]", "one\ntwo")
    assert "one line" not in contract.reminder("x")


def test_a_line_cut_at_the_limit_is_not_taken_for_a_whole_one() -> None:
    with pytest.raises(ContractBroken, match="cut at the token limit"):
        CONTRACT.parse(Reply("[HYBRID:] where is lo", finish="length"))


def test_the_reminder_carries_the_error_and_every_prefix() -> None:
    reminder = CONTRACT.reminder("the reply is empty")
    assert reminder.startswith("Your reply was refused: the reply is empty.\n")
    assert "one line that starts with one of these prefixes: [DIRECT:ALL] [DIRECT:] [HYBRID:]" in reminder
