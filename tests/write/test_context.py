"""`///ctx`: the newest turns that fit, printed oldest first; the request is never cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bottega.errors import PromptTooLong
from tests.write.shop import BETTER, DOUBTFUL, GOOD, SURE, Shop

Make = Callable[..., Shop]


def _turns(shop: Shop, *requests: str) -> None:
    for request in requests:
        shop.write(request)


def test_earlier_turns_stand_before_the_request_oldest_first(shop: Make) -> None:
    s = shop({"write.coder": [GOOD] * 3, "write.judge": [SURE] * 3})
    _turns(s, "first request", "second request")
    s.write("///ctx third request")
    [prompt] = s.prompts("write.coder")
    block = (
        "User request:\nfirst request\n\nAssistant code:\ndef double(n):\n    return 2 * n\n\n"
        "User request:\nsecond request\n\nAssistant code:\ndef double(n):\n    return 2 * n\n\n"
        "User request:\nthird request"
    )
    assert prompt.endswith(block)


def test_without_the_tag_no_history_comes_along(shop: Make) -> None:
    s = shop({"write.coder": [GOOD] * 2, "write.judge": [SURE] * 2})
    _turns(s, "first request", "second request")
    assert "first request" not in s.prompts("write.coder")[0]


def test_only_the_newest_records_are_considered(shop: Make) -> None:
    s = shop({"write.coder": [GOOD] * 4, "write.judge": [SURE] * 4})
    _turns(s, "request one", "request two", "request three")
    s.write("///ctx next", context=2)
    prompt = s.prompts("write.coder")[0]
    assert "request one" not in prompt
    assert prompt.index("request two") < prompt.index("request three")


def test_old_turns_fall_away_when_the_window_is_small_and_the_request_stays(shop: Make) -> None:
    long = GOOD + "# " + "x" * 2400 + "\n"
    small = ["budget.context_window=2400", "budget.reserved_tokens=500"]
    s = shop({"write.coder": [long, long, GOOD], "write.judge": [SURE] * 3}, *small)
    _turns(s, "request one", "request two")
    s.write("///ctx the request itself")
    prompt = s.prompts("write.coder")[0]
    assert "request one" not in prompt
    assert prompt.endswith("the request itself")
    assert "of 2 earlier turns fit" in s.decisions()["history"]


def test_a_request_that_does_not_fit_is_refused_not_cut(shop: Make) -> None:
    s = shop({"write.coder": [GOOD]})
    with pytest.raises(PromptTooLong, match="against a window of 8192"):
        s.write("x" * 5_000_000)
    assert s.prompts("write.coder") == []


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lengths=st.lists(st.integers(1, 6000), max_size=4), request_length=st.integers(1, 3000))
def test_whatever_the_lengths_the_request_arrives_whole(shop: Make, lengths: list[int], request_length: int) -> None:
    replies = [GOOD + "# " + "y" * length + "\n" for length in lengths]
    s = shop({"write.coder": [*replies, GOOD], "write.judge": [SURE] * (len(lengths) + 1)})
    _turns(s, *(f"turn {number}" for number in range(len(lengths))))
    request = "z" * request_length
    s.write(f"///ctx {request}")
    assert s.prompts("write.coder")[0].endswith(request)


def test_judge_and_reviewer_see_the_earlier_turns_too(shop: Make) -> None:
    s = shop({"write.coder": [GOOD] * 2, "write.judge": [SURE, DOUBTFUL, SURE], "write.reviewer": [BETTER]})
    _turns(s, "first request")
    s.write("///ctx the same for lists")
    for stage in ("write.judge", "write.reviewer"):
        prompt = s.prompts(stage)[0]
        assert prompt.index("User request:\nfirst request") < prompt.index("User request:\nthe same for lists")
