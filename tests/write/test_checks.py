"""The result is checked before it leaves, and a review may not make it worse."""

from __future__ import annotations

from collections.abc import Callable

from tests.write.shop import BETTER, DOUBTFUL, GOOD, SURE, Shop

Make = Callable[..., Shop]
BROKEN = "def double(n:\n    return 2 * n\n"


def test_a_draft_that_does_not_parse_needs_no_judge(shop: Make) -> None:
    s = shop({"write.coder": [BROKEN], "write.judge": [SURE], "write.reviewer": [GOOD]})
    written = s.write("double")
    assert written.output == GOOD
    assert written.escalation_reason.startswith("the draft does not parse")


def test_a_draft_that_uses_what_nothing_defines_needs_no_judge(shop: Make) -> None:
    draft = "def area(r):\n    return math.pi * r * r\n"
    s = shop({"write.coder": [draft], "write.judge": [SURE], "write.reviewer": [f"import math\n\n{draft}"]})
    written = s.write("the area of a circle")
    assert written.output.startswith("import math")
    assert written.escalation_reason == "the draft uses math, which nothing defines or imports"
    assert "uses math, which nothing defines" in s.prompts("write.reviewer")[0]


def test_a_syntax_error_goes_back_to_the_reviewer_once(shop: Make) -> None:
    s = shop({"write.coder": [BROKEN], "write.judge": [SURE], "write.reviewer": [BROKEN, GOOD]})
    assert s.write("double").output == GOOD
    assert s.steps()[-4:] == ["once", "mend", "check", "finish"]
    assert "does not parse" in s.prompts("write.reviewer")[1]


def test_code_that_never_parses_leaves_with_its_fault_told(shop: Make) -> None:
    s = shop({"write.coder": [BROKEN], "write.judge": [SURE], "write.reviewer": [BROKEN, BROKEN]})
    written = s.write("double")
    assert written.output == BROKEN
    assert written.fault


def test_raw_is_checked_but_not_mended(shop: Make) -> None:
    s = shop({"write.coder": [BROKEN]})
    assert s.write("///raw double").fault
    assert ("syntax", "failed") in s.validations()


def test_a_review_that_does_not_parse_does_not_replace_a_draft_that_does(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, SURE], "write.reviewer": [BROKEN]})
    assert s.write("double").output == GOOD
    assert "does not parse" in s.decisions()["keep"]


def test_a_review_that_loses_a_name_does_not_replace_the_draft(shop: Make) -> None:
    s = shop(
        {
            "write.coder": [GOOD],
            "write.judge": [DOUBTFUL, SURE],
            "write.reviewer": ["def twice(n):\n    return 2 * n\n"],
        }
    )
    assert s.write("double").output == GOOD
    assert s.decisions()["keep"] == "the review no longer defines double"


def test_a_review_that_the_judge_scores_lower_does_not_replace_the_draft(shop: Make) -> None:
    worse = '{"judgement_summary": "Wrong.", "confidence_score": 2, "conflict_score": 9}'
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, worse], "write.reviewer": [BETTER]})
    assert s.write("double").output == GOOD


def test_an_unusable_review_keeps_the_draft_and_is_recorded(shop: Make) -> None:
    two = "```\na = 1\n```\n```\nb = 2\n```"
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL, SURE], "write.reviewer": [two, two]})
    assert s.write("double").output == GOOD
    assert "fenced blocks" in s.decisions()["review"]


def test_the_language_comes_from_flag_request_fence_or_setting(shop: Make) -> None:
    go = "package main\n\nfunc Double(n int) int { return 2 * n }\n"
    s = shop({"write.coder": [go, f"```go\n{go}```", GOOD, go], "write.judge": [SURE] * 4})
    assert s.write("double a number", language="go").language.lower() == "go"
    assert s.write("double a number").language.lower() == "go"
    assert s.write("double a number").language.lower() == "python"
    assert s.write("double a number in Go").language.lower() == "go"
