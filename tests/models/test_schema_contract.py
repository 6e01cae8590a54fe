"""JSON is taken at its word: what is nearly right is refused, and told why."""

from __future__ import annotations

from enum import Enum
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from bottega.models import ContractBroken, Reply, SchemaContract

from .doubles import steadily


class Colour(Enum):
    RED = "red"


class Review(BaseModel):
    model_config = ConfigDict(extra="forbid")

    score: int = Field(ge=1, le=10)
    verdict: Literal["good", "bad"] = "good"
    reasons: tuple[str, ...] = ()
    colour: Colour | None = None
    weight: float = 1.0


CONTRACT = SchemaContract(Review)


def refusal(text: str, finish: Literal["stop", "length"] = "stop") -> str:
    with pytest.raises(ContractBroken) as caught:
        CONTRACT.parse(Reply(text, finish=finish))
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 8}',
        '  \n{"score": 8}\n',
        '```json\n{"score": 8}\n```',
        '```\n{"score": 8}```\n',
        '```json\r\n{"score": 8}\r\n```\r\n',
    ],
)
def test_one_object_is_accepted_bare_or_in_one_fence(text: str) -> None:
    assert CONTRACT.parse(Reply(text)) == Review(score=8)


def test_json_has_no_tuples_and_no_enumerations_and_is_read_all_the_same() -> None:
    review = CONTRACT.parse(Reply('{"score": 8, "reasons": ["a", "b"], "colour": "red", "weight": 2}'))
    assert (review.reasons, review.colour, review.weight) == (("a", "b"), Colour.RED, 2.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"score": "8"}', "score: Input should be a valid integer"),
        ('{"score": true}', "score: Input should be a valid integer"),
        ('{"score": 8.0}', "score: Input should be a valid integer"),
        ('{"score": null}', "score: Input should be a valid integer"),
        ('{"score": 11}', "score: Input should be less than or equal to 10"),
        ('{"score": 0}', "score: Input should be greater than or equal to 1"),
        ('{"score": 8, "verdict": "fine"}', "verdict: Input should be 'good' or 'bad'"),
        ('{"score": 8, "why": "x"}', "why: Extra inputs are not permitted"),
        ("{}", "score: Field required"),
        ("[]", "the reply is JSON, but not an object"),
        ("8", "the reply is JSON, but not an object"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_field(text: str, reason: str) -> None:
    assert refusal(text) == reason or refusal(text).startswith(reason)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Eight.",
        'Here it is: {"score": 8}',
        '{"score": 8} I hope this helps.',
        '{"score": 8}\n{"score": 3}',
        'Sure!\n```json\n{"score": 8}\n```',
        '```json\n{"score": 8}\n```\n```json\n{"score": 3}\n```',
        '{"score": 8',
        "{'score': 8}",
        '{"score": 8,}',
    ],
)
def test_anything_around_or_beside_the_object_is_refused(text: str) -> None:
    assert refusal(text).startswith("the reply is not one JSON object: ")


def test_several_wrong_fields_are_all_named() -> None:
    assert refusal('{"score": 99, "verdict": 1}').count(";") == 1


def test_absurd_depth_and_absurd_numbers_are_refused_like_any_other_text() -> None:
    assert "nested too deeply" in refusal('{"score":' + "[" * 200_000)
    assert "digits" in refusal('{"score": ' + "1" * 5000 + "}")
    assert "score" in refusal('{"score": ' + "1" * 4000 + "}")
    refusal('{"score": ' + "[" * 400 + "]" * 400 + "}")


def test_a_cut_reply_is_told_to_be_cut_unless_it_is_whole() -> None:
    assert "cut at the token limit" in refusal('{"score": 8, "reas', "length")
    assert CONTRACT.parse(Reply('{"score": 8}', finish="length")).score == 8


def test_the_reminder_carries_the_error_and_names_every_field() -> None:
    reminder = CONTRACT.reminder("score: Field required")
    assert "score: Field required." in reminder
    assert all(f'"{name}"' in reminder for name in Review.model_fields)


def test_the_schema_is_the_models_own() -> None:
    assert CONTRACT.schema == Review.model_json_schema()


@steadily
@given(st.text())
def test_any_text_is_a_value_or_a_refusal(text: str) -> None:
    try:
        assert isinstance(CONTRACT.parse(Reply(text)), Review)
    except ContractBroken:
        return


@steadily
@given(st.builds(Review, score=st.integers(1, 10), reasons=st.lists(st.text()).map(tuple), weight=st.floats(-1e9, 1e9)))
def test_what_a_model_wrote_comes_back(review: Review) -> None:
    assert CONTRACT.parse(Reply(review.model_dump_json())) == review
