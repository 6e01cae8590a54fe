"""Every mode of the default pipeline, with scripted models."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bottega.errors import ReplyRejected
from bottega.journal import HISTORY_FIELDS
from tests.write.shop import BETTER, DOUBTFUL, GOOD, SURE, Shop

Make = Callable[..., Shop]


def test_a_confident_judge_lets_the_draft_through(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [SURE]})
    written = s.write("double a number")
    assert written.output == GOOD
    assert not written.escalated
    assert s.steps() == ["parse_request", "draft", "try", "judge", "check", "finish"]


def test_a_doubtful_judge_calls_the_reviewer_and_scores_the_review(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, SURE], "write.reviewer": [BETTER]})
    written = s.write("double a number")
    assert written.output == BETTER
    assert written.escalation_reason == "low confidence (5 < 8)"
    [record] = s.history()
    assert record["judge"]["confidence_score"] == 5
    assert record["judge"]["review"]["confidence_score"] == 9
    assert (record["coder_output"], record["reviewer_output"]) == (GOOD, BETTER)


@pytest.mark.parametrize(
    ("confidence", "conflict", "reason"),
    [
        (8, 6, ""),
        (7, 6, "low confidence (7 < 8)"),
        (8, 7, "high conflict (7 > 6)"),
        (1, 10, "low confidence (1 < 8); high conflict (10 > 6)"),
    ],
)
def test_both_thresholds_escalate(shop: Make, confidence: int, conflict: int, reason: str) -> None:
    scores = f'{{"judgement_summary": "x", "confidence_score": {confidence}, "conflict_score": {conflict}}}'
    s = shop({"write.coder": [GOOD], "write.judge": [scores, scores], "write.reviewer": [GOOD]})
    assert s.write("double").escalation_reason == reason


def test_thresholds_are_settings(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL]}, "write.confidence_threshold=5")
    assert not s.write("double").escalated


@pytest.mark.parametrize(
    "reply",
    [
        "I think it is fine.",
        '{"confidence_score": 9, "conflict_score": 1}',
        '{"judgement_summary": "x", "confidence_score": 11, "conflict_score": 1}',
        '{"judgement_summary": "x", "confidence_score": "9", "conflict_score": 1}',
        '{"judgement_summary": "x", "confidence_score": true, "conflict_score": 1}',
        '{"judgement_summary": "x", "confidence_score": 9.5, "conflict_score": 1}',
        '{"judgement_summary": "x", "confidence_score": 9, "conflict_score": 1} {note}',
        "",
    ],
)
def test_a_judgement_that_cannot_be_read_escalates_and_says_why(shop: Make, reply: str) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [reply, reply, SURE], "write.reviewer": [BETTER]})
    written = s.write("double")
    assert written.escalation_reason.startswith("no judgement: ")
    [record] = s.history()
    assert record["judge"]["confidence_score"] is None
    assert record["judge"]["parse_error"]
    assert record["judge"]["raw_response"] == reply


def test_a_judge_that_thinks_aloud_is_understood(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [f'<think>{{"confidence_score": 1}}</think>\n{SURE}']})
    assert not s.write("double").escalated


def test_a_judgement_is_repaired_once_with_the_exact_error(shop: Make) -> None:
    bad = '{"judgement_summary": "x", "confidence_score": 99, "conflict_score": 1}'
    s = shop({"write.coder": [GOOD], "write.judge": [bad, SURE]})
    assert not s.write("double").escalated
    assert "confidence_score: Input should be less than or equal to 10" in s.prompts("write.judge")[1]


def test_raw_is_the_coder_alone(shop: Make) -> None:
    s = shop({"write.coder": [GOOD]})
    assert s.write("///raw double").output == GOOD
    assert s.steps() == ["parse_request", "draft", "settle", "finish"]


def test_review_only_takes_the_text_as_the_draft(shop: Make) -> None:
    s = shop({"write.reviewer": [BETTER], "write.judge": [SURE]})
    assert s.write(f"///review-only\n{GOOD}").output == BETTER
    assert GOOD.strip() in s.prompts("write.reviewer")[0]
    assert s.history()[0]["coder_output"] is None


def test_the_reviewer_note_takes_the_comment_form_of_the_language(shop: Make) -> None:
    reviewed = "# REVIEWER_NOTE: the unit is not given\nint twice(int n) { return 2 * n; }\n"
    s = shop(
        {"write.coder": ["int twice(int n) { return n; }"], "write.judge": [DOUBTFUL, SURE]}
        | {"write.reviewer": [reviewed]}
    )
    output = s.write("double", language="c").output
    assert output.startswith("// REVIEWER_NOTE: the unit is not given\nint twice")


def test_escalation_data_never_enters_the_code(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, SURE], "write.reviewer": [BETTER]})
    assert s.write("double").output == BETTER


def test_the_history_has_exactly_the_fields(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [SURE]})
    s.write("///ctx double")
    assert tuple(s.history()[0]) == HISTORY_FIELDS


def test_a_coder_that_never_gives_code_is_a_typed_failure(shop: Make) -> None:
    two = "```python\na = 1\n```\nor\n```python\nb = 2\n```"
    s = shop({"write.coder": [two, two]})
    with pytest.raises(ReplyRejected, match="2 fenced blocks"):
        s.write("double")
    assert s.workshop.journal.runs.get("last").status == "failed"
    assert s.history() == []


def test_a_second_judgement_that_cannot_be_read_keeps_the_review_and_says_so(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, "fine", "fine"], "write.reviewer": [BETTER]})
    written = s.write("double a number")
    assert written.output == BETTER
    assert s.decisions()["keep"].startswith("the review stands; its judgement is unreadable: ")
    assert ("second judgement", "unknown") in s.validations()
    assert written.summary.endswith("the judge's opinion could not be read")
