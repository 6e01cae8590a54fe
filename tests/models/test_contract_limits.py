"""No reply, however long and whatever it is made of, keeps a contract busy for long."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pydantic import BaseModel

from bottega.models import (
    CodeContract,
    Contract,
    ContractBroken,
    EditsContract,
    LineContract,
    Reply,
    SchemaContract,
)
from bottega.models.thinking import split_thinking
from bottega.source import language_named

SIZE = 400_000
GENEROUS = 30.0
"""Seconds. Each takes less than one; quadratic time would take minutes."""


class _Number(BaseModel):
    number: int


HOSTILE = {
    "brackets": "[" * SIZE,
    "braces": '{"a":' * (SIZE // 5),
    "backticks": "`" * SIZE,
    "fences": "```\n" * (SIZE // 4),
    "fences of growing length": "\n".join("`" * (3 + number % 200) for number in range(SIZE // 100)),
    "quotes": '"' * SIZE,
    "backslashes": "\\" * SIZE,
    "blank lines": "\n" * SIZE,
    "paragraphs": "A.\n\n" * (SIZE // 4),
    "one long sentence": "A" + "." * SIZE + "x",
    "one key many times": "{" + ",".join('"a":1' for _ in range(SIZE // 6)) + "}",
    "empty lists": '{"number":[' + "[]," * (SIZE // 3) + "[]]}",
    "unclosed edits": "@@abcd replace x\n" * (SIZE // 17),
    "an edit of a path with spaces": "@@abcd delete a" + " " * SIZE + "b\n@@abcd end",
    "one line between marks": "@@abcd replace x\na\n" + "@@abcd with\n" * (SIZE // 12) + "@@abcd end\n",
}
CONTRACTS: dict[str, Contract[Any]] = {
    "schema": SchemaContract(_Number),
    "code": CodeContract(),
    "python": CodeContract(language_named("Python")),
    "edits": EditsContract("abcd"),
    "line": LineContract(["[A:]"]),
}


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=CONTRACTS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_reply_is_parsed_or_refused_in_linear_time(contract: Contract[Any], text: str) -> None:
    started, reason = time.monotonic(), ""
    try:
        contract.parse(Reply(text))
    except ContractBroken as broken:
        reason = str(broken)
    assert len(reason) < 2100
    assert time.monotonic() - started < GENEROUS


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=CONTRACTS)
def test_a_reply_of_megabytes_is_refused_unread(contract: Contract[Any]) -> None:
    with pytest.raises(ContractBroken, match="4,000,000 characters where 524,288 are the limit"):
        contract.parse(Reply("x" * 4_000_000))


@pytest.mark.parametrize(
    "text",
    ["<think></think>" * 250_000, "<think>" * 500_000, "</think>x" * 400_000, ("</think>" + " " * 999 + "x") * 4000],
    ids=["blocks", "openings", "closings", "spaces"],
)
def test_thinking_is_split_off_megabytes_of_tags_in_linear_time(text: str) -> None:
    started = time.monotonic()
    split_thinking(text)
    assert time.monotonic() - started < GENEROUS


def test_a_quote_from_a_refused_reply_is_cut_short() -> None:
    with pytest.raises(ContractBroken) as broken:
        EditsContract("abcd").parse(Reply("@@abcd " + "x" * 100_000))
    assert str(broken.value).endswith("x…")
    assert len(str(broken.value)) < 2100
